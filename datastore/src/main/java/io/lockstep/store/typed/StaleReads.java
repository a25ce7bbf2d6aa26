package io.lockstep.store.typed;

import io.lockstep.store.Command;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Reads of a table that may be answered from memory. Thread-safe. */
public final class StaleReads<K, V> {
  private static final Duration LONGEST = Duration.ofHours(1);

  private final Submitter submitter;
  private final TableDef<K, V> def;
  private final long stalenessMillis;

  private StaleReads(Submitter submitter, TableDef<K, V> def, long stalenessMillis) {
    this.submitter = submitter;
    this.def = def;
    this.stalenessMillis = stalenessMillis;
  }

  static <K, V> StaleReads<K, V> of(Submitter submitter, TableDef<K, V> def, Duration staleness) {
    if (staleness.compareTo(Duration.ofMillis(1)) < 0 || staleness.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          "stale by at most "
              + staleness
              + "; 1 ms to 1 h is possible, and what must not be stale is read with get");
    }
    return new StaleReads<>(submitter, def, staleness.toMillis());
  }

  /**
   * Reads an entry as it was at some time within the staleness, counted from when the store was
   * asked; never as it was before a write through this {@link Store} that is acknowledged.
   */
  public CompletableFuture<ReadResult<Optional<Versioned<V>>>> get(K key) {
    Place place = new Place(def.name(), def.codec().encodeKey(key));
    return submitter
        .read(new Command.Get(def.name(), place.key()), place, stalenessMillis)
        .thenApply(reply -> Replies.entry(place, reply, def.codec()::decodeValue));
  }
}
