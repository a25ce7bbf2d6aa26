package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.OrderingClient;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a fixed number of requests outstanding, each with its own id, and remembers which were
 * acknowledged and the longest time without any acknowledgement. Fields are guarded by this.
 */
final class Load implements AutoCloseable {
  private final OrderingClient client;
  private final BitSet acknowledged = new BitSet();
  private int nextId;
  private int outstanding;
  private long count;
  private long unknown;
  private long lastNanos = System.nanoTime();
  private long longestGapNanos;
  private boolean running;

  Load(ReplicaCluster cluster, int clientId) {
    client =
        BftSmartClient.connect(ClientConfig.of(ReplicaCluster.NAME, cluster.members(), clientId));
  }

  OrderingClient client() {
    return client;
  }

  /** Starts to keep that many outstanding. */
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
    client
        .submit(ByteBuffer.allocate(100).putInt(id).array())
        .whenComplete(
            (reply, failure) -> {
              ended(id, reply == null ? -1 : ByteBuffer.wrap(reply).getInt(), failure);
              submit();
            });
  }

  private synchronized void ended(int id, int echoed, Throwable failure) {
    outstanding--;
    if (failure != null) {
      unknown++;
      return;
    }
    if (echoed != id) {
      throw new IllegalStateException("reply " + echoed + " to " + id);
    }
    long now = System.nanoTime();
    longestGapNanos = Math.max(longestGapNanos, now - lastNanos);
    lastNanos = now;
    acknowledged.set(id);
    count++;
  }

  synchronized long count() {
    return count;
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
