package io.lockstep.core.packet;

import io.lockstep.core.app.Freshness;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import io.lockstep.store.TableSpec;
import io.lockstep.store.client.cache.AnsweredQuery;
import io.lockstep.store.client.cache.CacheOptions;
import io.lockstep.store.client.cache.CachingStore;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;

/**
 * The questions of applications that the node's cache may answer. All others go to the store beside
 * it and cost nothing here. One cache for all switches; it is empty as long as no application asks
 * with a {@link Freshness}. Thread-safe.
 */
public final class CachedQuestions {
  /** Answers kept for all applications and switches together. */
  static final int MAX_ENTRIES = 16_384;

  /** Bytes of these answers, about. */
  static final long MAX_BYTES = 4L << 20;

  private final CachingStore cache;

  /**
   * No answers yet.
   *
   * @param nanoTime the clock of the store's client
   * @param tables of all applications: what is read through references is kept only where all
   *     tables on the way are named
   */
  public CachedQuestions(StoreClient store, LongSupplier nanoTime, Map<String, TableSpec> tables) {
    cache = CachingStore.over(store, nanoTime, new CacheOptions(MAX_ENTRIES, MAX_BYTES, tables));
  }

  /**
   * Asks.
   *
   * @param freshness not {@link Freshness#EXACT}
   * @param term of the switch's mastership: never there before each time the node comes to master a
   *     switch
   */
  public CompletableFuture<Reply> submit(Command command, Freshness freshness, long term) {
    if (freshness.kind() == Freshness.Kind.OWN && command instanceof Command.Get get) {
      return cache.readOwned(get, term).thenApply(AnsweredQuery::reply);
    } else if (freshness.kind() == Freshness.Kind.OWN && command instanceof Command.Put put) {
      return cache.putOwned(put, term);
    }
    return cache.read(command, freshness.millis()).thenApply(AnsweredQuery::reply);
  }
}
