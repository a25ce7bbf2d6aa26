package io.lockstep.core.state;

import io.lockstep.store.logging.FailureLog;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Where chains of futures end. The store and switches complete their futures normally: what went
 * wrong is a value. So a future that fails shows a defect of the program, and must not be lost with
 * the last future of a chain, which nobody reads.
 */
public final class Continuations {
  private static final FailureLog failures = FailureLog.of(Continuations.class);

  private Continuations() {}

  /**
   * Goes on on a loop with what a future gives. Where the future fails, its failure is thrown on
   * the loop: the control loop reports it as fatal, a switch's loop ends the connection.
   *
   * @param loop that owns the caller's state, such as {@link ControlLoop} or a connection of a
   *     switch
   */
  public static <T> void after(
      CompletableFuture<T> future, Executor loop, Consumer<? super T> next) {
    // A loop that takes no more reports that itself, or has stopped.
    CompletableFuture<T> unused =
        future.whenComplete(
            (value, failure) ->
                loop.execute(
                    () -> {
                      if (failure != null) {
                        throw new IllegalStateException("a future failed: " + failure, failure);
                      }
                      next.accept(value);
                    }));
  }

  /**
   * Ends a chain whose steps run on the thread that completes them. Logs a failure as an error.
   *
   * @param what the chain does, for the log line
   */
  public static void logFailure(String what, CompletableFuture<?> chain) {
    failures.watch("the node", what, chain);
  }
}
