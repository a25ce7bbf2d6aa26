package io.lockstep.bench.abuse;

import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Asks a node for its status once a second and counts what gets no answer. */
final class AdminWatch implements AutoCloseable {
  private static final int ASK_MILLIS = 2000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          work -> {
            Thread made = new Thread(work, "admin-watch");
            made.setDaemon(true);
            return made;
          });
  private final AtomicLong unanswered = new AtomicLong();
  private final AdminClient admin;
  private final Future<?> schedule;

  AdminWatch(String endpoint) {
    this.admin = new AdminClient(endpoint, ASK_MILLIS);
    this.schedule = thread.scheduleWithFixedDelay(this::ask, 0, 1, TimeUnit.SECONDS);
  }

  private void ask() {
    try {
      admin.report();
    } catch (IOException noAnswer) {
      unanswered.incrementAndGet();
    }
  }

  /**
   * How many questions got no answer.
   *
   * @throws IllegalStateException if the watch failed and asks no more
   */
  long unanswered() throws InterruptedException {
    if (schedule.isDone()) {
      try {
        schedule.get();
      } catch (ExecutionException e) {
        throw new IllegalStateException("watching the node's status failed", e.getCause());
      }
    }
    return unanswered.get();
  }

  @Override
  public void close() throws InterruptedException {
    thread.shutdown();
    thread.awaitTermination(2 * ASK_MILLIS, TimeUnit.MILLISECONDS);
  }
}
