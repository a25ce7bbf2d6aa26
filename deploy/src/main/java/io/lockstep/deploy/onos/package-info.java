/**
 * ONOS's REST API over the services of a node: a pure router from method, path, query and body to
 * status and JSON. It knows no socket and no thread; {@code deploy.admin} serves it. What is
 * offered, and what differs from ONOS, is in docs/ONOS_REST.md.
 */
@NullMarked
package io.lockstep.deploy.onos;

import org.jspecify.annotations.NullMarked;
