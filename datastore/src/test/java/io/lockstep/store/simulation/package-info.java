/**
 * Whole clusters in simulated time: clients, state machines and logs as they are, over a network,
 * an ordering and disks that do what such things do.
 */
@NullMarked
package io.lockstep.store.simulation;

import org.jspecify.annotations.NullMarked;
