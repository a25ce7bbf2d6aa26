package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.Row;
import io.lockstep.store.typed.ReadResult.NotRead;
import io.lockstep.store.typed.ReadResult.Read;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A table of rows, read and written column by column; the other columns of a row stay as they are.
 * Reads are linearizable. Thread-safe; futures as those of {@link TypedTable}.
 */
public final class RowTable<K> {
  private final Submitter submitter;
  private final RowTableDef<K> def;

  RowTable(Submitter submitter, RowTableDef<K> def) {
    this.submitter = submitter;
    this.def = def;
  }

  /** As {@link TypedTable#within}. */
  public RowTable<K> within(Duration deadline) {
    return new RowTable<>(submitter.within(deadline), def);
  }

  /**
   * Reads one column and the version of its row; empty where the row or the column is not there.
   */
  public <T> CompletableFuture<ReadResult<Optional<Versioned<T>>>> get(K key, Column<T> column) {
    Place place = place(key);
    return submitter
        .submit(
            new Command.GetColumns(def.name(), place.key(), List.of(column.name())),
            place,
            Bytes.empty())
        .thenApply(reply -> read(place, column, reply));
  }

  private static <T> ReadResult<Optional<Versioned<T>>> read(
      Place place, Column<T> column, Reply reply) {
    if (reply instanceof Reply.Columns found) {
      Bytes bytes = found.columns().get(column.name());
      if (bytes == null) {
        return new Read<>(Optional.empty());
      }
      return Replies.decoded(place, bytes, column.codec()::decode)
          .map(value -> Optional.of(new Versioned<>(value, found.version())));
    } else if (reply instanceof Reply.Absent) {
      return new Read<>(Optional.empty());
    }
    return new NotRead<>(Replies.failure(place, reply));
  }

  /** Writes one column; gives the row's version. */
  public <T> CompletableFuture<WriteOutcome<Long>> put(K key, Column<T> column, T value) {
    Place place = place(key);
    Bytes bytes = column.codec().encode(value);
    return submitter.write(
        new Command.PutColumns(def.name(), place.key(), row(column, bytes)),
        place,
        bytes,
        Replies::version);
  }

  /** Compare-and-set: writes one column of a row of this version; gives the row's new one. */
  public <T> CompletableFuture<WriteOutcome<Long>> replace(
      K key, long expectedVersion, Column<T> column, T value) {
    Place place = place(key);
    Bytes bytes = column.codec().encode(value);
    return submitter.write(
        new Command.ReplaceColumns(def.name(), place.key(), expectedVersion, row(column, bytes)),
        place,
        bytes,
        Replies::version);
  }

  /** Removes one column, and the row with its last one; gives whether there was one. */
  public CompletableFuture<WriteOutcome<Boolean>> remove(K key, Column<?> column) {
    Place place = place(key);
    Command command = new Command.RemoveColumns(def.name(), place.key(), List.of(column.name()));
    return submitter
        .submit(command, place, Bytes.empty())
        .thenApply(reply -> Replies.removed(place, reply));
  }

  static Row row(Column<?> column, Bytes bytes) {
    return Row.of(Map.of(column.name(), bytes));
  }

  private Place place(K key) {
    return new Place(def.name(), def.keys().encode(key));
  }
}
