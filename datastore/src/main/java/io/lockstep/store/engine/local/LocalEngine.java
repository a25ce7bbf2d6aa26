package io.lockstep.store.engine.local;

import io.lockstep.store.engine.ClusterVersions;
import io.lockstep.store.engine.LeaderClock;
import io.lockstep.store.engine.OrderedReply;
import io.lockstep.store.engine.OrderedService;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.OrderingReplica;
import io.lockstep.store.engine.ReplicaStatus;
import io.lockstep.store.engine.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Orders requests for one service on one thread, in order of arrival. The same thread is the {@link
 * OrderingClient#loop} of every client. So it runs replies, the work that clients submit to their
 * loop, and {@link OrderedService#apply} one after another.
 *
 * <p>If the service throws, the engine halts: the batch's futures fail with {@link
 * TimeoutException} (outcome unknown), and the engine rejects all later requests.
 *
 * <p>Thread-safe.
 */
public final class LocalEngine implements OrderingReplica {

  /** The most requests in one batch. */
  public static final int MAX_BATCH = 400;

  /** The most requests that all clients together may have queued; the engine rejects more. */
  public static final int MAX_QUEUED = 1 << 16;

  private static final Logger log = LoggerFactory.getLogger(LocalEngine.class);

  /** A queued request. Its end first frees its place in the client's window. */
  private record Pending(
      byte[] request, CompletableFuture<byte[]> reply, AtomicInteger outstanding) {

    void complete(byte[] bytes) {
      outstanding.decrementAndGet();
      reply.complete(bytes);
    }

    void fail(Exception reason) {
      outstanding.decrementAndGet();
      reply.completeExceptionally(reason);
    }
  }

  private final OrderedService service;
  private final LongSupplier timeMillis;
  private final ScheduledThreadPoolExecutor loop;
  private final LinkedBlockingQueue<Pending> queue = new LinkedBlockingQueue<>(MAX_QUEUED);
  private final AtomicBoolean passScheduled = new AtomicBoolean();
  private volatile long lastInstance = -1;
  private volatile boolean halted;
  private volatile ClusterVersions versions;

  private LocalEngine(OrderedService service, LongSupplier timeMillis) {
    this.service = service;
    this.timeMillis = timeMillis;
    this.versions = versionsOf(service);
    this.loop = new ScheduledThreadPoolExecutor(1, LocalEngine::daemon);
    loop.setRemoveOnCancelPolicy(true);
    loop.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
  }

  private static ClusterVersions versionsOf(OrderedService service) {
    return new ClusterVersions(
        service.rules().number(), service.permitted(), List.of(service.offered().number()));
  }

  private static Thread daemon(Runnable task) {
    Thread thread = new Thread(task, "local-engine");
    thread.setDaemon(true);
    return thread;
  }

  /** An engine on the system's clock. Steps of that clock have no effect. */
  public static LocalEngine start(OrderedService service) {
    LeaderClock clock = new LeaderClock(System::nanoTime, System::currentTimeMillis);
    clock.restored(service.lastTimeMillis());
    return start(service, clock::nowMillis);
  }

  /**
   * An engine on a given clock.
   *
   * @param service called only on the engine's thread
   * @param timeMillis called once for each batch, on the engine's thread
   */
  public static LocalEngine start(OrderedService service, LongSupplier timeMillis) {
    return new LocalEngine(service, timeMillis);
  }

  /**
   * A new client of this engine. Closing it does not stop the engine or the shared loop, and its
   * outstanding requests still complete.
   *
   * @param window the most outstanding requests, at least 1
   */
  public OrderingClient connect(int window) {
    if (window < 1) {
      throw new IllegalArgumentException("window " + window + " is less than 1");
    }
    return new Client(window);
  }

  @Override
  public ReplicaStatus status() {
    boolean up = !halted;
    return new ReplicaStatus(
        0,
        up ? ReplicaStatus.Phase.OPERATIONAL : ReplicaStatus.Phase.HALTED,
        up ? 0 : -1,
        0,
        lastInstance,
        List.of(0),
        up ? List.of(0) : List.of(),
        up,
        ReplicaStatus.Memory.NONE);
  }

  @Override
  public ClusterVersions versions() {
    return versions;
  }

  /**
   * Requests already in a batch still get their replies; those still queued fail with {@link
   * RejectedExecutionException}. Does not wait; the service may finish its present batch.
   */
  @Override
  public void close() {
    halted = true;
    rejectQueued();
    loop.shutdown();
  }

  private void enqueue(Pending pending) {
    if (halted || !queue.offer(pending)) {
      pending.fail(
          new RejectedExecutionException(
              halted ? "the local engine has stopped" : "the local engine's queue is full"));
      return;
    }
    if (passScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::pass);
      } catch (RejectedExecutionException closedMeanwhile) {
        rejectQueued();
      }
    }
    if (halted) {
      rejectQueued();
    }
  }

  /** Applies one batch. Requests that remain or arrive meanwhile get a pass after other work. */
  private void pass() {
    passScheduled.set(false);
    List<Pending> batch = new ArrayList<>();
    queue.drainTo(batch, MAX_BATCH);
    if (!batch.isEmpty()) {
      applyBatch(batch);
    }
    if (!queue.isEmpty() && !halted && passScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::pass);
      } catch (RejectedExecutionException closedMeanwhile) {
        rejectQueued();
      }
    }
  }

  private void applyBatch(List<Pending> batch) {
    List<byte[]> requests = new ArrayList<>(batch.size());
    for (Pending pending : batch) {
      requests.add(pending.request);
    }
    long instance = lastInstance + 1;
    List<OrderedReply> replies;
    try {
      agree();
      replies = service.apply(instance, timeMillis.getAsLong(), requests);
      if (replies.size() != requests.size()) {
        throw new IllegalStateException(
            replies.size() + " replies to " + requests.size() + " requests");
      }
    } catch (RuntimeException | Error e) {
      halted = true;
      log.error("local engine halts: the service failed at instance {}", instance, e);
      for (Pending pending : batch) {
        pending.fail(
            new TimeoutException("outcome unknown: the service failed at instance " + instance));
      }
      rejectQueued();
      loop.shutdown();
      return;
    }
    lastInstance = instance;
    if (service.rules().number() != versions.active()
        || service.permitted() != versions.permitted()) {
      versions = versionsOf(service);
    }
    for (int i = 0; i < batch.size(); i++) {
      if (replies.get(i).isDropped()) {
        batch.get(i).fail(new TimeoutException("there was no room for the reply"));
      } else {
        batch.get(i).complete(replies.get(i).bytes());
      }
    }
  }

  /** What the leader of a cluster does: a new one begins with the newest version. */
  private void agree() {
    Rules present = service.rules();
    boolean begun = present.number() > 1 || service.index() > 0;
    Rules next = service.offered().next(present, begun, service.permitted());
    if (!next.equals(present)) {
      service.adopt(next);
    }
  }

  private void rejectQueued() {
    Pending pending;
    while ((pending = queue.poll()) != null) {
      pending.fail(new RejectedExecutionException("the local engine has stopped"));
    }
  }

  private final class Client implements OrderingClient {
    private final int window;
    private final AtomicInteger outstanding = new AtomicInteger();
    private volatile boolean closed;

    Client(int window) {
      this.window = window;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      if (closed) {
        return CompletableFuture.failedFuture(
            new RejectedExecutionException("the client is closed"));
      }
      if (outstanding.incrementAndGet() > window) {
        outstanding.decrementAndGet();
        return CompletableFuture.failedFuture(
            new RejectedExecutionException(window + " requests are outstanding"));
      }
      CompletableFuture<byte[]> reply = new CompletableFuture<>();
      enqueue(new Pending(request, reply, outstanding));
      return reply;
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
