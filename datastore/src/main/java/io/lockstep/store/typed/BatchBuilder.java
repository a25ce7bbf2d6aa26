package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.typed.Failure.Cause;
import io.lockstep.store.typed.WriteResult.NotDone;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Several writes as one operation, all or none, under guards: the versions that they were decided
 * on. At most 1024 guards, 1024 writes and 1 MiB. A write sees those before it. Used by one thread,
 * and committed once.
 */
public final class BatchBuilder {
  private final Submitter submitter;
  private final List<Command.Guard> guards = new ArrayList<>();
  private final List<Command> commands = new ArrayList<>();
  private final List<Place> guarded = new ArrayList<>();
  private final List<Place> written = new ArrayList<>();
  private @Nullable String tooLarge;
  private boolean committed;

  BatchBuilder(Submitter submitter) {
    this.submitter = submitter;
  }

  /** Only if the entry has this version. */
  public <K> BatchBuilder ifVersion(TableDef<K, ?> table, K key, long version) {
    return guard(new Place(table.name(), table.codec().encodeKey(key)), version);
  }

  /** Only if the row has this version. */
  public <K> BatchBuilder ifVersion(RowTableDef<K> table, K key, long version) {
    return guard(new Place(table.name(), table.keys().encode(key)), version);
  }

  /** Only if there is no such entry. */
  public <K> BatchBuilder ifAbsent(TableDef<K, ?> table, K key) {
    return ifVersion(table, key, 0);
  }

  private BatchBuilder guard(Place place, long version) {
    check("guard " + guards.size(), place, Bytes.empty());
    guards.add(new Command.Guard(place.table(), place.key(), version));
    guarded.add(place);
    return this;
  }

  /** Writes an entry without a condition on what was there. */
  public <K, V> BatchBuilder put(TableDef<K, V> table, K key, V value) {
    Place place = new Place(table.name(), table.codec().encodeKey(key));
    Bytes bytes = table.codec().encodeValue(value);
    return write(place, bytes, new Command.Put(table.name(), place.key(), bytes));
  }

  /** Writes one column of a row. */
  public <K, T> BatchBuilder put(RowTableDef<K> table, K key, Column<T> column, T value) {
    Place place = new Place(table.name(), table.keys().encode(key));
    Bytes bytes = column.codec().encode(value);
    return write(
        place,
        bytes,
        new Command.PutColumns(table.name(), place.key(), RowTable.row(column, bytes)));
  }

  /** Removes an entry, if there is one. */
  public <K> BatchBuilder remove(TableDef<K, ?> table, K key) {
    Place place = new Place(table.name(), table.codec().encodeKey(key));
    return write(place, Bytes.empty(), new Command.Remove(table.name(), place.key()));
  }

  /** Adds to a counter. */
  public <K> BatchBuilder add(TableDef<K, Long> table, K key, long delta) {
    Place place = new Place(table.name(), table.codec().encodeKey(key));
    return write(place, Bytes.empty(), new Command.Increment(table.name(), place.key(), delta));
  }

  private BatchBuilder write(Place place, Bytes value, Command command) {
    check("write " + commands.size(), place, value);
    commands.add(command);
    written.add(place);
    return this;
  }

  private void check(String part, Place place, Bytes value) {
    String violation = place.tooLarge(value);
    if (violation != null && tooLarge == null) {
      tooLarge = part + " of a batch, " + place + ": " + violation;
    }
    if (committed) {
      throw new IllegalStateException("the batch is committed; begin another");
    }
  }

  /**
   * Carries the batch out; gives the version of everything that it wrote. A guard that does not
   * hold is a {@link WriteResult.Conflict}.
   *
   * @throws IllegalStateException at the second call
   */
  public CompletableFuture<WriteOutcome<Long>> commit() {
    if (committed) {
      throw new IllegalStateException("the batch is committed; begin another");
    }
    committed = true;
    if (tooLarge != null) {
      return CompletableFuture.completedFuture(
          new WriteOutcome.Known<>(new NotDone<>(new Failure(Cause.OUT_OF_BOUNDS, tooLarge))));
    }
    return submitter.submit(new Command.Batch(guards, commands)).thenApply(this::outcome);
  }

  private WriteOutcome<Long> outcome(Reply reply) {
    if (reply instanceof Reply.Batched batched) {
      return new WriteOutcome.Known<>(new WriteResult.Done<>(batched.version()));
    } else if (reply instanceof Reply.BatchRefused refused) {
      int position = refused.position();
      Place place =
          position < guarded.size()
              ? guarded.get(position)
              : written.get(position - guarded.size());
      return new WriteOutcome.Known<>(Replies.refusedPart(place, refused.reply()));
    } else if (reply instanceof Reply.Unknown unknown) {
      return new WriteOutcome.Unknown<>(name() + ": " + unknown.message());
    }
    return new WriteOutcome.Known<>(new NotDone<>(Replies.failure(name(), reply)));
  }

  private String name() {
    return "a batch of " + guards.size() + " guards and " + commands.size() + " writes";
  }
}
