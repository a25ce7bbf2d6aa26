/**
 * The ordering engine without a cluster: one process, one thread, no replication, no network and no
 * disk. It serves tests, single-node development and benchmarks of the pure core. It makes the
 * promises of the replicated engine, except that the state ends with the process.
 */
@NullMarked
package io.lockstep.store.engine.local;

import org.jspecify.annotations.NullMarked;
