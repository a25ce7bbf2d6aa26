package io.lockstep.store.client.cache;

import io.lockstep.store.TableSpec;
import java.util.Map;

/**
 * Options of a cache.
 *
 * @param maxEntries answers that are kept, at most; the least recently used go first
 * @param maxBytes what they take in memory, about, at most
 * @param tables what the store's tables hold, as far as this client reads through them: answers to
 *     {@link io.lockstep.store.Command.GetThrough} are kept only where all tables on the way are
 *     named here
 */
public record CacheOptions(int maxEntries, long maxBytes, Map<String, TableSpec> tables) {
  public CacheOptions {
    if (maxEntries < 1 || maxBytes < 1) {
      throw new IllegalArgumentException(
          "a cache of at most " + maxEntries + " entries and " + maxBytes + " bytes");
    }
    tables = Map.copyOf(tables);
  }
}
