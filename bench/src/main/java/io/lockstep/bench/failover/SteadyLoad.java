package io.lockstep.bench.failover;

import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Callbacks;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.client.BatchingStoreClient;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Puts that never cease: so many are outstanding at any time, and the longest time without an
 * acknowledgement is noted. Counters belong to the client's loop.
 */
final class SteadyLoad {
  private static final int VALUE_BYTES = 100;
  private static final long PATIENCE_SECONDS = 60;
  private static final long RECENT_NANOS = 1_000_000_000L;

  private final BatchingStoreClient client;
  private final String table;
  private final int keys;
  private final Random random = new Random(1);
  private final byte[] filling = new byte[VALUE_BYTES];
  private boolean stopped;
  private int running;
  private long lastNanos;
  private long lookedNanos;
  private long longestNanos;
  private long longestFromNanos;
  private long acknowledged;
  private long unknown;
  private long refused;
  private final CompletableFuture<Boolean> over = new CompletableFuture<>();

  /**
   * What happened since the last look.
   *
   * @param longestMillis longest time without an acknowledgement, the present one included
   * @param fromMillis when that time began, after the last look; negative where before
   * @param unknown operations whose outcome nobody knows
   * @param refused operations that were surely not applied
   */
  record Interval(
      double longestMillis, double fromMillis, long acknowledged, long unknown, long refused) {}

  SteadyLoad(BatchingStoreClient client, String table, int keys) {
    this.client = client;
    this.table = table;
    this.keys = keys;
    random.nextBytes(filling);
  }

  void start(int inFlight) throws BenchException, InterruptedException {
    onLoop(
        () -> {
          lastNanos = System.nanoTime();
          lookedNanos = lastNanos;
          running = inFlight;
          for (int i = 0; i < inFlight; i++) {
            next();
          }
          return true;
        });
  }

  private void next() {
    if (stopped) {
      running--;
      if (running == 0) {
        over.complete(true);
      }
      return;
    }
    Bytes key = Bytes.wrap(ByteBuffer.allocate(8).putLong(0, random.nextInt(keys)).array());
    Callbacks.when(
        client.submit(new Command.Put(table, key, Bytes.wrap(filling))),
        this::answered,
        over::completeExceptionally);
  }

  private void answered(Reply reply) {
    if (reply instanceof Reply.Applied) {
      acknowledged++;
      long now = System.nanoTime();
      waited(now);
      lastNanos = now;
      next();
    } else {
      if (reply instanceof Reply.Unknown) {
        unknown++;
      } else {
        refused++;
      }
      // Not at once: a client that refuses without delay must leave the loop to others.
      Callbacks.after(client.loop(), 1, this::next, over::completeExceptionally);
    }
  }

  private void waited(long nowNanos) {
    if (nowNanos - lastNanos > longestNanos) {
      longestNanos = nowNanos - lastNanos;
      longestFromNanos = lastNanos;
    }
  }

  /** Whether anything was acknowledged since the last look, and within the last second. */
  boolean acknowledged() throws BenchException, InterruptedException {
    return onLoop(() -> acknowledged > 0 && System.nanoTime() - lastNanos < RECENT_NANOS);
  }

  /** What happened since the last call; begins anew. */
  Interval look() throws BenchException, InterruptedException {
    return onLoop(
        () -> {
          long now = System.nanoTime();
          waited(now);
          double from = (longestFromNanos - lookedNanos) / 1e6;
          Interval seen = new Interval(longestNanos / 1e6, from, acknowledged, unknown, refused);
          lookedNanos = now;
          longestNanos = 0;
          acknowledged = 0;
          unknown = 0;
          refused = 0;
          return seen;
        });
  }

  /** Ends when the last answer has come. */
  void stop() throws BenchException, InterruptedException {
    onLoop(() -> stopped = true);
    await(over);
  }

  private <T> T onLoop(Supplier<T> task) throws BenchException, InterruptedException {
    if (over.isCompletedExceptionally()) {
      await(over);
    }
    return await(CompletableFuture.supplyAsync(task, client.loop()));
  }

  private static <T> T await(CompletableFuture<T> future)
      throws BenchException, InterruptedException {
    try {
      return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("the load failed", e.getCause());
    } catch (TimeoutException e) {
      throw new BenchException("the load hangs: no answer within " + PATIENCE_SECONDS + " s", e);
    }
  }
}
