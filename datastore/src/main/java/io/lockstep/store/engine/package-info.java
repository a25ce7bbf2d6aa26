/**
 * The ordering engine behind a small neutral interface: hand over a request, be called back in
 * order with instance and time, give and take a snapshot. {@link
 * io.lockstep.store.engine.LeaderClock} is the time that comes with it. {@code engine.bftsmart} is
 * the only place that knows BFT-SMaRt; {@code engine.local} orders in one process without
 * replication, for tests and the pure core's benchmarks.
 */
@NullMarked
package io.lockstep.store.engine;

import org.jspecify.annotations.NullMarked;
