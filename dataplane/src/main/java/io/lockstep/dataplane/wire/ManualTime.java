package io.lockstep.dataplane.wire;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.SingleThreadEventExecutor;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** A clock that stands still until it is told to advance: hours of time-outs in milliseconds. */
public final class ManualTime implements NetworkClock {
  private final PriorityQueue<Task> tasks =
      new PriorityQueue<>(
          Comparator.<Task>comparingLong(task -> task.dueNanos)
              .thenComparingLong(task -> task.serial));
  private long nowNanos;
  private long nextSerial;

  @Override
  public synchronized long nanos() {
    return nowNanos;
  }

  @Override
  public synchronized Timer schedule(EventExecutor owner, long delayNanos, Runnable run) {
    Task task = new Task(nowNanos + Math.max(0, delayNanos), nextSerial++, owner, run);
    tasks.add(task);
    return () -> cancel(task);
  }

  private synchronized void cancel(Task task) {
    tasks.remove(task);
  }

  /**
   * Moves time on, running each task that falls due at its own time on its own thread and waiting
   * for it and for what it handed on within that thread. Not to be called from an event loop.
   */
  public void advance(Duration by) {
    long end = nanos() + by.toNanos();
    for (Task task = next(end); task != null; task = next(end)) {
      task.owner.submit(task.run).syncUninterruptibly();
      settle(task.owner);
    }
  }

  /** What a task handed on is to see the time of that task, not the next one's. */
  private static void settle(EventExecutor owner) {
    if (owner instanceof SingleThreadEventExecutor thread) {
      while (!thread.submit(() -> thread.pendingTasks() == 0).syncUninterruptibly().getNow()) {
        // The queue was not empty behind this question: ask again.
      }
    }
  }

  private synchronized @Nullable Task next(long endNanos) {
    Task task = tasks.peek();
    if (task == null || task.dueNanos > endNanos) {
      nowNanos = endNanos;
      return null;
    }
    tasks.remove();
    nowNanos = task.dueNanos;
    return task;
  }

  private record Task(long dueNanos, long serial, EventExecutor owner, Runnable run) {}
}
