package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderingClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A fixed number of callers, each of which sends a request with its own id, waits for the answer
 * and pauses for a moment, so that replicas which start find a share of the processor. Remembers
 * which were acknowledged and the longest time without any acknowledgement. Fields are guarded by
 * this.
 */
final class Load implements AutoCloseable {
  private static final long PAUSE_MILLIS = 5;

  private final OrderingClient client;
  private final BitSet acknowledged = new BitSet();
  private int nextId;
  private int outstanding;
  private long count;
  private long unknown;
  private long lastNanos = System.nanoTime();
  private long longestGapNanos;
  private boolean running;
  private @Nullable String wrong;

  Load(ReplicaCluster cluster, int clientId) {
    client =
        BftSmartClient.connect(ClientConfig.of(ReplicaCluster.NAME, cluster.members(), clientId));
  }

  OrderingClient client() {
    return client;
  }

  /** Starts that many callers. */
  synchronized Load run(int concurrency) {
    running = true;
    resetGap();
    for (int i = 0; i < concurrency; i++) {
      submit();
    }
    return this;
  }

  private synchronized void submit() {
    if (!running) {
      return;
    }
    int id = nextId++;
    outstanding++;
    // The step behind it does not fail: count() reports a wrong reply.
    var unused =
        client
            .submit(ByteBuffer.allocate(100).putInt(id).array())
            .whenComplete(
                (reply, failure) -> {
                  ended(id, reply == null ? -1 : ByteBuffer.wrap(reply).getInt(), failure);
                  afterAPause();
                });
  }

  private void afterAPause() {
    try {
      // It does not fail: the client reports failures of requests in their own futures.
      var unused = client.loop().schedule(this::submit, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException closed) {
      // The test is over.
    }
  }

  private synchronized void ended(int id, int echoed, Throwable failure) {
    outstanding--;
    if (failure != null) {
      unknown++;
      return;
    }
    if (echoed != id) {
      wrong = "reply " + echoed + " to " + id;
      return;
    }
    long now = System.nanoTime();
    longestGapNanos = Math.max(longestGapNanos, now - lastNanos);
    lastNanos = now;
    acknowledged.set(id);
    count++;
  }

  /** How many requests were acknowledged; fails if one got the reply to another. */
  synchronized long count() {
    checkReplies();
    return count;
  }

  private synchronized void checkReplies() {
    if (wrong != null) {
      throw new IllegalStateException(wrong);
    }
  }

  synchronized long unknown() {
    return unknown;
  }

  synchronized void resetGap() {
    lastNanos = System.nanoTime();
    longestGapNanos = 0;
  }

  /** The longest time without an acknowledgement since the last reset, until now. */
  synchronized long longestGapMillis() {
    return TimeUnit.NANOSECONDS.toMillis(Math.max(longestGapNanos, System.nanoTime() - lastNanos));
  }

  /** Waits for that many more acknowledgements. */
  void awaitMore(int more) {
    long from = count();
    Await.until(
        Duration.ofMinutes(2),
        () -> "only " + (count() - from) + " of " + more + " acknowledged",
        () -> count() >= from + more);
  }

  /** Stops submitting and waits for what is outstanding to end one way or the other. */
  void drain() {
    synchronized (this) {
      running = false;
    }
    Await.until(
        Duration.ofMinutes(2),
        () -> "requests outstanding",
        () -> {
          synchronized (this) {
            return outstanding == 0;
          }
        });
    checkReplies();
  }

  synchronized BitSet acknowledged() {
    return (BitSet) acknowledged.clone();
  }

  @Override
  public void close() {
    synchronized (this) {
      running = false;
    }
    client.close();
  }
}
