/**
 * Replays what events of the data plane ask of the store, as the paper does: a number of flows at a
 * time, the operations of each strictly one after another, against three replica processes. JMH
 * runs each point in virtual machines of its own.
 */
@NullMarked
package io.lockstep.bench.replay;

import org.jspecify.annotations.NullMarked;
