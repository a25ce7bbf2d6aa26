/**
 * A cache in front of a store's client: reads that name how stale they may be (section IV-E of "A
 * consistent and fault-tolerant data store for software defined networks"), own writes visible,
 * tables with one writer exact. Start at {@link CachingStore}.
 *
 * <p>Neighbours: any {@link io.lockstep.store.StoreClient} carries what the cache cannot answer.
 */
@NullMarked
package io.lockstep.store.client.cache;

import org.jspecify.annotations.NullMarked;
