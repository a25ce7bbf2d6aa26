/**
 * Wiring: what runs in a node's process and in what order it starts and stops. Micro components are
 * registered here. The parts do not know each other; this room does.
 */
@NullMarked
package io.lockstep.deploy.node;

import org.jspecify.annotations.NullMarked;
