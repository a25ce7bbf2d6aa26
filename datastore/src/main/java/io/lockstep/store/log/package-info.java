/**
 * The log of a replica: the decided instances in order, each with the hash that chains it to all
 * earlier ones, snapshots of the state, and the promised regency. On disk, or in memory if so
 * configured. It knows neither the ordering library nor the content of decisions; the engine calls
 * it, {@code io.lockstep.store.core} makes the snapshots.
 */
@NullMarked
package io.lockstep.store.log;

import org.jspecify.annotations.NullMarked;
