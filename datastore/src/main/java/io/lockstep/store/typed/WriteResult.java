package io.lockstep.store.typed;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** What became of a write, surely. An unknown outcome is none of these: {@link WriteOutcome}. */
public sealed interface WriteResult<T> {

  /** The write took effect. */
  record Done<T>(T value) implements WriteResult<T> {}

  /**
   * A version or an absence that the write asked for did not hold; nothing was changed.
   *
   * @param table where it did not hold
   * @param key of the entry, as bytes
   * @param present the entry as it is; empty where there is none. Undecoded, so that bytes which no
   *     codec reads are still a conflict: {@link TypedTable#value} decodes it
   */
  record Conflict<T>(String table, Bytes key, Optional<Entry> present) implements WriteResult<T> {
    String describe() {
      return new Place(table, key)
          + ": "
          + present
              .map(entry -> "the entry has version " + entry.version())
              .orElse("there is no entry")
          + ", which the write did not ask for; read it again and decide anew";
    }
  }

  /** The write surely did not take effect. */
  record NotDone<T>(Failure failure) implements WriteResult<T> {}

  /** One function for each case. */
  default <R> R fold(
      Function<? super T, ? extends R> done,
      Function<? super Conflict<T>, ? extends R> conflict,
      Function<? super Failure, ? extends R> notDone) {
    if (this instanceof Done<T> written) {
      return done.apply(written.value());
    } else if (this instanceof Conflict<T> other) {
      return conflict.apply(other);
    }
    return notDone.apply(((NotDone<T>) this).failure());
  }

  /** The same of another value; a conflict and a failure stay. */
  default <R> WriteResult<R> map(Function<? super T, ? extends R> mapping) {
    return fold(
        value -> new Done<>(mapping.apply(value)),
        other -> new Conflict<>(other.table(), other.key(), other.present()),
        NotDone::new);
  }

  /** Hands over what the write gave, or why it surely did not take effect. */
  default void ifDone(Consumer<? super T> done, Consumer<? super String> otherwise) {
    if (this instanceof Done<T> written) {
      done.accept(written.value());
    } else if (this instanceof Conflict<T> other) {
      otherwise.accept(other.describe());
    } else {
      otherwise.accept(((NotDone<T>) this).failure().message());
    }
  }

  /** Whether the write took effect. */
  default boolean isDone() {
    return this instanceof Done;
  }

  /**
   * What the write gave.
   *
   * @throws ConflictException where something else was there
   * @throws FailedException where it surely did not take effect otherwise
   */
  default T orThrow() {
    return fold(
        value -> value,
        other -> {
          throw new ConflictException(other);
        },
        failure -> {
          throw failure.exception();
        });
  }
}
