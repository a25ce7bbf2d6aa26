package io.lockstep.store.simulation;

import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.log.Decision;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;

/**
 * One client's connections to all replicas: it takes a reply that two of three give at the same
 * instance of the same history.
 */
final class VotingConnection implements OrderingClient {
  private static final int WINDOW = 4;
  private static final long RETRY_MILLIS = 100;
  private static final long DEADLINE_MILLIS = 900;

  private record Vote(long instance, ByteBuffer chain, ByteBuffer reply) {}

  private final SimulatedCluster cluster;
  private final Random random;
  private final Map<Long, CompletableFuture<byte[]>> waiting = new HashMap<>();
  private final Map<Long, Map<Vote, Integer>> votes = new HashMap<>();
  private int outstanding;
  private boolean cut;

  VotingConnection(SimulatedCluster cluster, Random random) {
    this.cluster = cluster;
    this.random = random;
  }

  void setCut(boolean nowCut) {
    cut = nowCut;
  }

  @Override
  public CompletableFuture<byte[]> submit(byte[] request) {
    if (outstanding == WINDOW) {
      throw new RejectedExecutionException("window");
    }
    outstanding++;
    long number = cluster.number(this);
    CompletableFuture<byte[]> reply = new CompletableFuture<>();
    waiting.put(number, reply);
    votes.put(number, new HashMap<>());
    // Not used, as it only repeats the reply: the client that gets it counts it.
    CompletableFuture<byte[]> unused =
        reply.whenComplete(
            (bytes, failure) -> {
              outstanding--;
              waiting.remove(number);
              votes.remove(number);
            });
    cluster.after(
        DEADLINE_MILLIS, () -> reply.completeExceptionally(new TimeoutException("simulated")));
    attempt(new Batches.Request(number, Arrays.copyOf(request, request.length)), reply, 0);
    return reply;
  }

  private void attempt(Batches.Request request, CompletableFuture<byte[]> reply, long millis) {
    if (reply.isDone() || millis >= DEADLINE_MILLIS) {
      return;
    }
    if (!cut && !cluster.chance(15)) {
      cluster.after(random.nextInt(cluster.chance(15) ? 300 : 5), () -> cluster.arrive(request));
    }
    if (!cut && cluster.chance(10)) {
      cluster.after(random.nextInt(4_000), () -> cluster.arriveLate(request));
    }
    cluster.after(RETRY_MILLIS, () -> attempt(request, reply, millis + RETRY_MILLIS));
  }

  /** A replica's reply, on the wire. */
  void reply(int replica, long number, Decision decision, byte[] bytes) {
    if (cluster.chance(15)) {
      return;
    }
    cluster.after(
        random.nextInt(cluster.chance(10) ? 400 : 4),
        () -> {
          CompletableFuture<byte[]> open = waiting.get(number);
          Map<Vote, Integer> given = votes.get(number);
          if (cut || open == null || given == null) {
            return;
          }
          Vote vote =
              new Vote(
                  decision.instance(), ByteBuffer.wrap(decision.chain()), ByteBuffer.wrap(bytes));
          int voters = given.merge(vote, 1 << replica, (one, other) -> one | other);
          if (Integer.bitCount(voters) >= 2) {
            open.complete(bytes);
          }
        });
  }

  @Override
  public int window() {
    return WINDOW;
  }

  @Override
  public ScheduledExecutorService loop() {
    return cluster.loop();
  }

  @Override
  public void close() {}
}
