package io.lockstep.store.log.disk;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What runs a log's steps: a thread of its own, or somebody else. */
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

  /** Whether there is a thread, so that one can wait for it. */
  boolean exists() {
    return own != null;
  }

  void execute(Runnable step) {
    executor.execute(step);
  }

  /**
   * Lets the thread finish what it was given and waits for that.
   *
   * @return whether it has finished in that time; also where there is no thread
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
