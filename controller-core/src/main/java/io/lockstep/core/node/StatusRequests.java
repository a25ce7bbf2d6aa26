package io.lockstep.core.node;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes the status for all who wait for it at once. Whoever asks gets a status that is taken after
 * the question, so it is as new as one of its own; while the control loop is busy, the questions
 * that wait for it cost it one report, not one each. Thread-safe.
 */
final class StatusRequests {
  private final Executor loop;
  private final Supplier<NodeStatus> reporter;

  /** The report that is not begun yet, or null. */
  private final AtomicReference<@Nullable CompletableFuture<NodeStatus>> waiting =
      new AtomicReference<>();

  /**
   * No question waits yet.
   *
   * @param loop where the status is taken, one task at a time
   * @param reporter takes it; called on the loop
   */
  StatusRequests(Executor loop, Supplier<NodeStatus> reporter) {
    this.loop = loop;
    this.reporter = reporter;
  }

  /**
   * The next status that is taken.
   *
   * @return of the caller's own: to complete or cancel it does nothing to others
   * @throws RejectedExecutionException where the loop takes no more tasks
   */
  CompletableFuture<NodeStatus> ask() {
    CompletableFuture<NodeStatus> mine = new CompletableFuture<>();
    CompletableFuture<NodeStatus> next =
        waiting.updateAndGet(there -> there == null ? mine : there);
    if (next == mine) {
      try {
        loop.execute(() -> take(mine));
      } catch (RejectedExecutionException e) {
        waiting.compareAndSet(mine, null);
        mine.completeExceptionally(e);
        throw e;
      }
    }
    return next.copy();
  }

  private void take(CompletableFuture<NodeStatus> asked) {
    // First of all: who asks from now on must not get what was read before.
    waiting.set(null);
    try {
      asked.complete(reporter.get());
    } catch (RuntimeException e) {
      asked.completeExceptionally(e);
      throw e;
    }
  }
}
