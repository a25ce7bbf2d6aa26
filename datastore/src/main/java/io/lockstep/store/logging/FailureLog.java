package io.lockstep.store.logging;

import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;

/**
 * Logs failures that no caller waits for: of a task on an executor, and of the last stage of a
 * chain of futures. Without it such a failure stays in a future that no one reads. Bounded as
 * {@link BoundedLog} is. Thread-safe.
 */
public final class FailureLog {
  private final BoundedLog log;

  FailureLog(BoundedLog log) {
    this.log = log;
  }

  /** The log of a class. */
  public static FailureLog of(Class<?> owner) {
    return new FailureLog(BoundedLog.of(owner));
  }

  /**
   * Returns a task that runs {@code body}, and logs what it throws before it throws it on.
   *
   * @param peer whom the task is for
   * @param task its name in the log
   */
  public Runnable logging(Object peer, String task, Runnable body) {
    return () -> {
      try {
        body.run();
      } catch (RuntimeException | Error e) {
        log.error(peer, "{} of {} failed", task, peer, e);
        throw e;
      }
    };
  }

  /**
   * Calls {@code then} with the result or the failure of {@code future}, and logs what {@code then}
   * throws. The failure of {@code future} is left to {@code then}.
   *
   * @param peer whom the task is for
   * @param task what {@code then} does, its name in the log
   */
  public <T> void handle(
      Object peer,
      String task,
      CompletableFuture<T> future,
      BiConsumer<? super T, ? super Throwable> then) {
    watch(
        peer,
        task,
        future.handle(
            (result, failure) -> {
              then.accept(result, failure);
              return task;
            }));
  }

  /**
   * Logs the failure of {@code future} if it fails.
   *
   * @param peer whom the task is for
   * @param task what completes the future, its name in the log
   */
  public void watch(Object peer, String task, CompletableFuture<?> future) {
    // Not used: this callback reports the failure, which the new future only repeats.
    CompletableFuture<?> unused =
        future.whenComplete(
            (result, failure) -> {
              if (failure != null) {
                log.error(peer, "{} of {} failed", task, peer, failure);
              }
            });
  }
}
