/**
 * Operations on several entries at once: batches, scans, micro components, leases with guarded
 * writes, large values. One line of {@code mixed.jsonl} is a {@link
 * io.lockstep.history.mixed.Step}; {@code mixed.check} judges them, {@code mixed.load} makes them.
 */
@NullMarked
package io.lockstep.history.mixed;

import org.jspecify.annotations.NullMarked;
