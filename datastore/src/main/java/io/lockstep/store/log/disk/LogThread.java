package io.lockstep.store.log.disk;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs the steps of a log: on a thread of its own, or on an executor. */
final class LogThread {
  private final @Nullable ExecutorService own;
  private final Executor executor;

  private LogThread(@Nullable ExecutorService own, Executor executor) {
    this.own = own;
    this.executor = executor;
  }

  static LogThread start(String name) {
    ExecutorService own =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            });
    return new LogThread(own, own);
  }

  static LogThread none(Executor executor) {
    return new LogThread(null, executor);
  }

  /** Whether there is a thread, for which a caller can wait. */
  boolean exists() {
    return own != null;
  }

  void execute(Runnable step) {
    executor.execute(step);
  }

  /**
   * Waits until the thread has finished its work, and ends it.
   *
   * @return whether it finished in that time; true if there is no thread
   */
  boolean close(long waitMillis) {
    if (own == null) {
      return true;
    }
    own.shutdown();
    boolean interrupted = false;
    long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(waitMillis);
    while (!own.isTerminated() && endNanos - System.nanoTime() > 0) {
      try {
        if (own.awaitTermination(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
    return own.isTerminated();
  }
}
