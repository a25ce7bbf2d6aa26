package io.lockstep.bench.compare;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One operation of a flow and what follows.
 *
 * @param next from the answer: the flow's next step, or null at its end; throws {@link
 *     IllegalStateException} where the answer is not what the workload put into the store
 */
public record Step(Operation operation, Function<Answer, @Nullable Step> next) {

  /** The last step, which must be done. */
  static Step last(Operation operation) {
    return new Step(operation, answer -> ended(answer.done(), operation));
  }

  /** A step that must be done, then another. */
  static Step then(Operation operation, Function<Answer, @Nullable Step> next) {
    return new Step(
        operation,
        answer -> {
          ended(answer.done(), operation);
          return next.apply(answer);
        });
  }

  private static @Nullable Step ended(boolean done, Operation operation) {
    if (!done) {
      throw new IllegalStateException("not done: " + operation);
    }
    return null;
  }
}
