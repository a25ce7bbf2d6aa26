package io.lockstep.bench.runs;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Passes failures of callbacks and of scheduled tasks on. A load whose callback fails must end with
 * that failure: else it goes on with less load, and its figures are wrong.
 */
public final class Callbacks {
  private Callbacks() {}

  /**
   * Calls {@code done} with the value of a future.
   *
   * @param failed is called with the failure of the future or of {@code done}; it must not throw
   */
  public static <T> void when(
      CompletableFuture<T> future, Consumer<? super T> done, Consumer<Throwable> failed) {
    // All failures go to the function, so the new future always completes normally.
    CompletableFuture<?> unused =
        future.handle(
            (value, failure) -> {
              if (failure != null) {
                failed.accept(failure);
              } else {
                guarded(() -> done.accept(value), failed).run();
              }
              return null;
            });
  }

  /**
   * Runs a task on a loop after a time.
   *
   * @param failed is called with the failure of the task; it must not throw
   * @throws java.util.concurrent.RejectedExecutionException if the loop is closed
   */
  public static void after(
      ScheduledExecutorService loop, long millis, Runnable task, Consumer<Throwable> failed) {
    ScheduledFuture<?> unused = loop.schedule(guarded(task, failed), millis, TimeUnit.MILLISECONDS);
  }

  /**
   * A task that throws nothing.
   *
   * @param failed is called with the failure of the task; it must not throw
   */
  public static Runnable guarded(Runnable task, Consumer<Throwable> failed) {
    return () -> {
      try {
        task.run();
      } catch (RuntimeException | Error e) {
        failed.accept(e);
      }
    };
  }
}
