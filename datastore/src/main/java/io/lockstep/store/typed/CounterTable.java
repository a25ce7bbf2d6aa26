package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * A table of counters; one that was never written counts as 0. To add is not idempotent: after an
 * unknown outcome, adding again may count twice. Thread-safe; futures as those of {@link
 * TypedTable}.
 */
public final class CounterTable<K> {
  private final Submitter submitter;
  private final TableDef<K, Long> def;

  CounterTable(Submitter submitter, TableDef<K, Long> def) {
    this.submitter = submitter;
    this.def = def;
  }

  /** As {@link TypedTable#within}. */
  public CounterTable<K> within(Duration deadline) {
    return new CounterTable<>(submitter.within(deadline), def);
  }

  /** Adds to a counter; gives its new value and version. */
  public CompletableFuture<WriteOutcome<Versioned<Long>>> add(K key, long delta) {
    Place place = new Place(def.name(), def.codec().encodeKey(key));
    return submitter.write(
        new Command.Increment(def.name(), place.key(), delta),
        place,
        Bytes.empty(),
        reply -> {
          if (reply instanceof Reply.Counter counter) {
            return new Versioned<>(counter.value(), counter.version());
          }
          throw Replies.unfit(place, reply);
        });
  }
}
