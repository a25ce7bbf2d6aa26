package io.lockstep.store.typed;

import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What became of a write, or that it is unknown. There is no way to its result without saying what
 * happens where it is unknown: {@link #fold}, {@link #handle}, {@link #whenUnknown} or {@link
 * #throwWhenUnknown}.
 *
 * <p>A write of unknown outcome may have taken effect, may still take effect, or never. Reading the
 * entry shows whether it did, but not that it will not. To write again is right where twice is as
 * good as once, or where the write asks for a version: then at most one of the two takes effect.
 */
public sealed interface WriteOutcome<T> {

  /** The outcome is known. */
  record Known<T>(WriteResult<T> result) implements WriteOutcome<T> {}

  /** No answer came in time, or a component returned what its codec cannot read. */
  record Unknown<T>(String message) implements WriteOutcome<T> {}

  /** One function for each case; that for an unknown outcome is given what is known of it. */
  default <R> R fold(
      Function<? super WriteResult<T>, ? extends R> known,
      Function<? super String, ? extends R> unknown) {
    if (this instanceof Known<T> settled) {
      return known.apply(settled.result());
    }
    return unknown.apply(((Unknown<T>) this).message());
  }

  /** Hands over the result, or what is known where it is unknown. */
  default void handle(Consumer<? super WriteResult<T>> known, Consumer<? super String> unknown) {
    if (this instanceof Known<T> settled) {
      known.accept(settled.result());
    } else {
      unknown.accept(((Unknown<T>) this).message());
    }
  }

  /** The result; {@code decide} gives it where it is unknown. */
  default WriteResult<T> whenUnknown(Function<? super String, WriteResult<T>> decide) {
    return fold(result -> result, decide);
  }

  /**
   * The result.
   *
   * @throws OutcomeUnknownException where it is unknown
   */
  default WriteResult<T> throwWhenUnknown() {
    return fold(
        result -> result,
        message -> {
          throw new OutcomeUnknownException(message);
        });
  }

  /** The same of another value; an unknown outcome stays one. */
  default <R> WriteOutcome<R> map(Function<? super T, ? extends R> mapping) {
    return fold(result -> new Known<>(result.map(mapping)), Unknown::new);
  }
}
