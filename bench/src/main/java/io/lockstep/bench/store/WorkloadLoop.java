package io.lockstep.bench.store;

import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import io.lockstep.bench.runs.Callbacks;
import io.lockstep.store.StoreClient;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.LongSupplier;

/**
 * Keeps a fixed number of flows of one workload running: the end of one starts the next. Owned by
 * the client's loop.
 */
final class WorkloadLoop {
  private final Workload workload;
  private final StoreClient client;
  private final Executor loop;
  private final LongSupplier nanoTime;
  private final Window window;
  private final int inFlight;
  private final CompletableFuture<Void> over = new CompletableFuture<>();
  private long started;
  private int running;

  /**
   * A loop that begins its warm-up when it is started.
   *
   * @param loop the client's
   */
  WorkloadLoop(
      Workload workload,
      StoreClient client,
      Executor loop,
      LongSupplier nanoTime,
      int inFlight,
      Schedule schedule) {
    this.workload = workload;
    this.client = client;
    this.loop = loop;
    this.nanoTime = nanoTime;
    this.inFlight = inFlight;
    this.window = new Window(nanoTime.getAsLong(), schedule);
  }

  /** What is measured; to be read after the loop is over. */
  Window window() {
    return window;
  }

  /** Starts all flows; completes on the loop when the last one ended, or fails with the first. */
  CompletableFuture<Void> start() {
    for (int i = 0; i < inFlight; i++) {
      running++;
      next();
    }
    return over;
  }

  private void next() {
    long now = nanoTime.getAsLong();
    if (now - window.endNanos() >= 0) {
      running--;
      if (running == 0) {
        over.complete(null);
      }
      return;
    }
    window.sent(now);
    Callbacks.when(
        workload.flow(client, started++), fine -> ended(now, fine), over::completeExceptionally);
  }

  private void ended(long sentNanos, boolean fine) {
    if (fine) {
      window.answered(sentNanos, nanoTime.getAsLong());
      next();
    } else {
      window.lost(sentNanos);
      // Not at once: a client that refuses without delay must not make the stack grow.
      loop.execute(Callbacks.guarded(this::next, over::completeExceptionally));
    }
  }
}
