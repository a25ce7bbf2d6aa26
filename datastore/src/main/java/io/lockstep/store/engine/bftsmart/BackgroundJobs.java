package io.lockstep.store.engine.bftsmart;

import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A thread that runs jobs which would block the replica's loop for too long. Jobs run one after
 * another. If {@value #MAX_WAITING} jobs wait, it rejects more. Thread-safe.
 */
final class BackgroundJobs {
  private static final Logger log = LoggerFactory.getLogger(BackgroundJobs.class);
  private static final int MAX_WAITING = 256;

  /** A job that may read or write the log. */
  interface Job {
    void run() throws IOException;
  }

  private final Executor executor;
  private volatile boolean closed;
  private final Consumer<String> onFailure;

  BackgroundJobs(String name, Consumer<String> onFailure) {
    this(
        new ThreadPoolExecutor(
            1,
            1,
            0,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(MAX_WAITING),
            task -> {
              Thread thread = new Thread(task, name);
              thread.setDaemon(true);
              return thread;
            }),
        onFailure);
  }

  /**
   * @param executor runs the jobs one after another
   */
  BackgroundJobs(Executor executor, Consumer<String> onFailure) {
    this.executor = executor;
    this.onFailure = onFailure;
  }

  /**
   * Queues a job. If the job fails, the failure is reported and the replica halts.
   *
   * @return false if too many jobs wait
   */
  boolean run(String what, Job job) {
    try {
      executor.execute(
          () -> {
            try {
              job.run();
            } catch (IOException | RuntimeException | Error e) {
              if (!closed) {
                log.error("{} failed", what, e);
                onFailure.accept(what + " failed: " + e);
              }
            }
          });
      return true;
    } catch (RejectedExecutionException full) {
      return false;
    }
  }

  void close() {
    closed = true;
    if (executor instanceof ExecutorService own) {
      own.shutdownNow();
    }
  }
}
