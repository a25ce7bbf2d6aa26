/**
 * {@code bench compare}: our store and its peers, each in processes of its own, under the same
 * workloads, points interleaved in rounds; and our store's adapter. What is asked of the stores is
 * in {@code io.lockstep.bench.compare}, the peers' adapters in modules of their own.
 */
@NullMarked
package io.lockstep.bench.peers;

import org.jspecify.annotations.NullMarked;
