package io.lockstep.store.client.cache;

/**
 * Counts since a cache was created.
 *
 * @param hits reads answered from the cache
 * @param shared reads that waited for a request that was on its way already
 * @param misses reads that might have been answered from the cache, but went to the store
 * @param bypassed reads that had to go to the store
 * @param evictions answers dropped because the cache was full
 * @param refusedWrites batches refused because what they were decided on had changed
 * @param entries answers kept now
 * @param bytes what these take, about
 */
public record CacheStatistics(
    long hits,
    long shared,
    long misses,
    long bypassed,
    long evictions,
    long refusedWrites,
    int entries,
    long bytes) {}
