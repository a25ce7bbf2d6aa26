package io.lockstep.store.client;

import io.lockstep.store.client.SimulatedLeaders.Proposal;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderingClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;

/**
 * An ordering engine in simulated time that does to requests and replies what networks and leader
 * changes do: loses, delays, repeats and reorders them, orders copies long after their request was
 * given up, lets proposals wait, drops them with their leader, and stands still at times. All
 * replicas are given the same batches.
 */
final class SimulatedCluster {
  private static final long RETRY_MILLIS = 100;
  private static final long DEADLINE_MILLIS = 700;
  private static final int MAX_LATE_MILLIS = 4_000;

  private final SimulatedLoop loop;
  private final Random random;
  private final List<StoreStateMachine> replicas;
  private final List<Runnable> afterEachBatch = new ArrayList<>();
  private final List<Arrival> arrived = new ArrayList<>();
  private long instance;
  private final SimulatedLeaders leaders;
  private boolean ordering;
  private boolean faulty = true;
  private boolean quorum = true;

  private record Arrival(byte[] request, CompletableFuture<byte[]> reply) {}

  SimulatedCluster(SimulatedLoop loop, Random random, List<StoreStateMachine> replicas) {
    this.loop = loop;
    this.random = random;
    this.replicas = replicas;
    this.leaders = new SimulatedLeaders(loop, random);
  }

  /** Told after each batch was applied. */
  void afterEachBatch(Runnable check) {
    afterEachBatch.add(check);
  }

  /** From now on nothing is lost, and what was lost stays lost. */
  void heal() {
    faulty = false;
    quorum = true;
  }

  /** Nothing is ordered until there is a quorum again. */
  void setQuorum(boolean reachable) {
    quorum = reachable;
  }

  /** What the leaders' clocks do. */
  SimulatedLeaders leaders() {
    return leaders;
  }

  Connection connect(int window) {
    return new Connection(window);
  }

  private boolean chance(int percent) {
    return faulty && random.nextInt(100) < percent;
  }

  private void after(long millis, Runnable event) {
    loop.after(millis, event);
  }

  private void arrive(Arrival arrival) {
    if (!quorum) {
      return;
    }
    arrived.add(arrival);
    orderSoon();
  }

  private void orderSoon() {
    if (!ordering && !arrived.isEmpty()) {
      ordering = true;
      after(random.nextInt(5), this::propose);
    }
  }

  private void propose() {
    List<Arrival> batch = List.copyOf(arrived);
    arrived.clear();
    Proposal proposal = leaders.propose();
    long millis = chance(20) ? random.nextInt(300) : 0;
    after(millis, () -> decide(proposal, batch));
  }

  private void decide(Proposal proposal, List<Arrival> batch) {
    ordering = false;
    if (leaders.dropped(proposal)) {
      arrived.addAll(0, batch);
      orderSoon();
      return;
    }
    List<byte[]> requests = batch.stream().map(Arrival::request).toList();
    instance++;
    List<OrderedReply> replies = List.of();
    for (int i = replicas.size() - 1; i >= 0; i--) {
      replies = replicas.get(i).apply(instance, proposal.timeMillis(), requests);
    }
    leaders.decided(proposal);
    for (int i = 0; i < batch.size(); i++) {
      byte[] reply = replies.get(i).bytes();
      CompletableFuture<byte[]> waiting = batch.get(i).reply();
      if (!chance(15)) {
        after(random.nextInt(chance(10) ? 400 : 4), () -> waiting.complete(reply));
      }
    }
    afterEachBatch.forEach(Runnable::run);
    orderSoon();
  }

  /** One client's connection. */
  final class Connection implements OrderingClient {
    private final int window;
    private int outstanding;
    private boolean cut;
    private boolean closed;

    Connection(int window) {
      this.window = window;
    }

    /** Nothing goes out or comes in any more, or does again. */
    void setCut(boolean cut) {
      this.cut = cut;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      if (closed || outstanding == window || chance(1)) {
        throw new RejectedExecutionException("simulated");
      }
      outstanding++;
      CompletableFuture<byte[]> network = new CompletableFuture<>();
      CompletableFuture<byte[]> reply = new CompletableFuture<>();
      // Not used, as they only repeat the reply: the client that gets it asserts or counts it.
      CompletableFuture<Void> unusedArrival =
          network.thenAccept(
              bytes -> {
                if (!cut) {
                  reply.complete(bytes);
                }
              });
      CompletableFuture<byte[]> unusedReply = reply.whenComplete((bytes, failure) -> outstanding--);
      after(
          DEADLINE_MILLIS,
          () -> reply.completeExceptionally(new TimeoutException("simulated deadline")));
      attempt(new Arrival(Arrays.copyOf(request, request.length), network), reply, 0);
      return reply;
    }

    private void attempt(Arrival arrival, CompletableFuture<byte[]> reply, long sinceMillis) {
      if (reply.isDone() || sinceMillis >= DEADLINE_MILLIS) {
        return;
      }
      if (!cut && !chance(15)) {
        after(random.nextInt(chance(20) ? 300 : 5), () -> arrive(arrival));
      }
      if (!cut && chance(10)) {
        after(random.nextInt(MAX_LATE_MILLIS), () -> arrive(arrival));
      }
      after(RETRY_MILLIS, () -> attempt(arrival, reply, sinceMillis + RETRY_MILLIS));
    }

    @Override
    public int window() {
      return window;
    }

    @Override
    public ScheduledExecutorService loop() {
      return loop;
    }

    @Override
    public void close() {
      closed = true;
    }
  }
}
