/**
 * The ordering engine behind a small neutral interface. A client submits requests. The engine calls
 * the service in the agreed order, with instance and time, and makes and restores its snapshots.
 * {@link io.lockstep.store.engine.LeaderClock} gives the time. Only {@code engine.bftsmart} knows
 * BFT-SMaRt; {@code engine.local} orders in one process without replication, for tests and the pure
 * core's benchmarks.
 */
@NullMarked
package io.lockstep.store.engine;

import org.jspecify.annotations.NullMarked;
