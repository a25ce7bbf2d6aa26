/**
 * Counts the files on the way of one event through the code; see docs/adr/0021-counting-walks.md.
 * {@code bench/walks/run} compiles and runs it.
 *
 * <p>An agent ({@link io.lockstep.walks.WalkAgent}) puts probes into each method of the product.
 * Two drivers make the events ({@link io.lockstep.walks.NodeWalks}, {@link
 * io.lockstep.walks.StoreWalks}); what ran between an event and its effect is a {@link
 * io.lockstep.walks.Window}. {@link io.lockstep.walks.CountingRule} turns windows into counts.
 */
@NullMarked
package io.lockstep.walks;

import org.jspecify.annotations.NullMarked;
