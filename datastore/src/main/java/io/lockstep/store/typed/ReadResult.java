package io.lockstep.store.typed;

import java.util.function.Consumer;
import java.util.function.Function;

/** What a read gave. */
public sealed interface ReadResult<T> {

  /** The answer. */
  record Read<T>(T value) implements ReadResult<T> {}

  /** There is no answer. */
  record NotRead<T>(Failure failure) implements ReadResult<T> {}

  /** One function for each case. */
  default <R> R fold(
      Function<? super T, ? extends R> read, Function<? super Failure, ? extends R> notRead) {
    if (this instanceof Read<T> answer) {
      return read.apply(answer.value());
    }
    return notRead.apply(((NotRead<T>) this).failure());
  }

  /** Hands over the answer, or why there is none. */
  default void ifRead(Consumer<? super T> read, Consumer<? super Failure> notRead) {
    if (this instanceof Read<T> answer) {
      read.accept(answer.value());
    } else {
      notRead.accept(((NotRead<T>) this).failure());
    }
  }

  /** The same of another value; a failure stays one. */
  default <R> ReadResult<R> map(Function<? super T, ? extends R> mapping) {
    return fold(value -> new Read<>(mapping.apply(value)), NotRead::new);
  }

  /**
   * The answer.
   *
   * @throws FailedException where there is none
   */
  default T orThrow() {
    return fold(
        value -> value,
        failure -> {
          throw failure.exception();
        });
  }
}
