/**
 * Three real nodes, real switches: a ring of Open vSwitch bridges in user space in two domains,
 * network namespaces as hosts, and what becomes of their traffic when nodes are killed. Needs root
 * and the tools that {@code ./lockstep test --install} installs; is skipped, with the reason, where
 * they are missing.
 */
@NullMarked
package io.lockstep.deploy.ovs;

import org.jspecify.annotations.NullMarked;
