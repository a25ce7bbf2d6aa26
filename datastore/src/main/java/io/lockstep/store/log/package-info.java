/**
 * What a replica keeps of the past: the decided instances in order, each with the hash that chains
 * it to all before it, snapshots of the state, and the regency it has promised. On disk, or in
 * memory where that is wanted. Knows nothing of the ordering library nor of what the decisions
 * mean; the engine calls it, {@code io.lockstep.store.core} makes the snapshots.
 */
@NullMarked
package io.lockstep.store.log;

import org.jspecify.annotations.NullMarked;
