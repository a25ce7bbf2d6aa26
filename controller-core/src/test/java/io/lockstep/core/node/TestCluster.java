package io.lockstep.core.node;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DpidRange;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.MasteredSwitches;
import io.lockstep.core.state.StoreFeed;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.OrderingClient;
import io.lockstep.store.engine.local.LocalEngine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Several nodes in one process over one store without replication. */
final class TestCluster implements AutoCloseable {
  private static final long DEADLINE_SECONDS = 60;

  final TestClock clock = new TestClock(this::threads);
  final LocalEngine engine =
      LocalEngine.start(new StoreStateMachine(CoreComponents.all()), clock::millis);
  final Map<String, TestNode> nodes = new LinkedHashMap<>();
  final List<Throwable> fatal = new CopyOnWriteArrayList<>();
  private final ExecutorService switchLoop =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "switches");
            thread.setDaemon(true);
            return thread;
          });
  private final AtomicLong nonces = new AtomicLong(1);
  List<DomainConfig> domains;
  private final int handBackDelayMillis;

  /** Without witnesses, unless the test sets ports. */
  List<Member> members =
      List.of(
          new Member("n1", "127.0.0.1", 0),
          new Member("n2", "127.0.0.1", 0),
          new Member("n3", "127.0.0.1", 0));

  int timeToLiveMillis = 1_500;

  /** Is shown each node before it starts. */
  Consumer<NodeContext> assembled = made -> {};

  /** Whether nodes that start now reach the store. */
  boolean roadsOpen = true;

  TestCluster(int handBackDelayMillis, DomainConfig... domains) {
    this.domains = List.of(domains);
    this.handBackDelayMillis = handBackDelayMillis;
  }

  /** A domain of the switches 16 x number to 16 x number + 15. */
  static DomainConfig domain(String name, int number, String... preferred) {
    return new DomainConfig(
        name, List.of(new DpidRange(16L * number, 16L * number + 15)), List.of(preferred));
  }

  FakeSwitch newSwitch(long dpid) {
    return new FakeSwitch(dpid, switchLoop);
  }

  /**
   * Starts a node. Where it reaches the store it has begun before this returns: a better choice
   * that is late loses its domains to the node that is started behind it.
   */
  TestNode start(String node) throws IOException {
    TestNode started = new TestNode(node);
    nodes.put(node, started);
    started.node.start();
    if (roadsOpen) {
      await(node + " has begun", started::hasBegun);
    }
    return started;
  }

  private List<Executor> threads() {
    List<Executor> threads = new ArrayList<>();
    threads.add(switchLoop);
    for (TestNode node : nodes.values()) {
      threads.add(node.store.loop());
      threads.add(node.context.state().loop());
    }
    return threads;
  }

  TestNode node(String name) {
    return Objects.requireNonNull(nodes.get(name));
  }

  void await(String what, BooleanSupplier condition) {
    clock.await(what, condition);
  }

  static <T> T get(CompletableFuture<T> future) throws Exception {
    return future.get(DEADLINE_SECONDS, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    for (TestNode node : List.copyOf(nodes.values())) {
      node.stop();
    }
    switchLoop.shutdown();
    engine.close();
    if (!fatal.isEmpty()) {
      throw new AssertionError("a node reported a broken invariant", fatal.get(0));
    }
  }

  /** One node with its own store client, clock and road to the store. */
  final class TestNode {
    final String name;
    final AtomicLong clockOffsetNanos = new AtomicLong();
    final GatedClient gate = new GatedClient(engine.connect(16));
    final BatchingStoreClient store;
    final ControllerNode node;
    final Told told = new Told();

    /** What the node last reported to its process. */
    volatile boolean drained;

    MasteredSwitches mastery;
    NodeContext context;

    TestNode(String name) {
      this.name = name;
      gate.open = roadsOpen;
      LongSupplier nanoClock = () -> clock.nanos() + clockOffsetNanos.get();
      store =
          BatchingStoreClient.open(
              gate,
              ClientOptions.of(name)
                  .withTimeToLiveMillis(timeToLiveMillis)
                  .withTables(TestTables.all()),
              nanoClock,
              nonces::getAndIncrement);
      NodeConfig config = new NodeConfig("test", name, members, domains, handBackDelayMillis);
      List<NodeContext> contexts = new ArrayList<>();
      node =
          new ControllerNode(
              new ControllerNode.Parts(
                  config,
                  "0.1.0-test",
                  store,
                  store.loop(),
                  new StoreFeed(store, store.loop()),
                  nanoClock,
                  clock::millis,
                  (where, failure) -> fatal.add(failure)),
              List.of(
                  made -> {
                    contexts.add(made);
                    made.mastery().addListener(told);
                    assembled.accept(made);
                    return new NodeRoom() {};
                  }));
      node.onDrain(now -> drained = now);
      context = contexts.get(0);
      mastery = context.mastery();
    }

    NodeStatus status() {
      try {
        return get(node.status());
      } catch (Exception e) {
        throw new AssertionError("no status of " + name, e);
      }
    }

    /** It takes part, and the domains whose first choice it is have a master. */
    private boolean hasBegun() {
      return node.hasQuorum()
          && (node.domains().configured().domains().isEmpty()
              || node.domains().current().version() > 0)
          && node.domains().inForce().stream()
              .filter(domain -> node.domains().preference(domain).get(0).equals(name))
              .allMatch(domain -> context.ownership().master(domain.name()) != null);
    }

    boolean masters(FakeSwitch of) {
      return mastery.mastered(of.deviceId()) != null;
    }

    /** The process is killed: what it says no more, its session does not hear either. */
    void kill() {
      gate.open = false;
      stop();
    }

    /** The process ends in order: the store client closes its session. */
    void stop() {
      nodes.remove(name, this);
      node.close();
      store.close();
    }
  }

  /** What listeners of mastery heard, for example {@code gained of:0000000000000010 1}. */
  static final class Told implements MasteredSwitches.Listener {
    final List<String> heard = new CopyOnWriteArrayList<>();

    /** When the node is done with what it began, where it hands a switch over. */
    volatile CompletableFuture<Void> finished = CompletableFuture.completedFuture(null);

    @Override
    public void gained(io.lockstep.core.southbound.SwitchConnection connection, long epoch) {
      heard.add("gained " + connection.deviceId() + " " + epoch);
    }

    @Override
    public void lost(io.lockstep.core.southbound.SwitchConnection connection, String reason) {
      heard.add("lost " + connection.deviceId());
    }

    @Override
    public void expected(io.lockstep.core.southbound.SwitchConnection connection, long epoch) {
      heard.add("expected " + connection.deviceId() + " " + epoch);
    }

    @Override
    public void expectedNoLonger(io.lockstep.core.southbound.SwitchConnection connection) {
      heard.add("expectedNoLonger " + connection.deviceId());
    }

    @Override
    public CompletableFuture<?> finish(
        io.lockstep.core.southbound.SwitchConnection connection, long epoch) {
      heard.add("finish " + connection.deviceId() + " " + epoch);
      return finished;
    }
  }

  /** A road to the store that can be cut: then no answer comes. */
  static final class GatedClient implements OrderingClient {
    private final OrderingClient behind;
    volatile boolean open = true;

    GatedClient(OrderingClient behind) {
      this.behind = behind;
    }

    @Override
    public CompletableFuture<byte[]> submit(byte[] request) {
      if (open) {
        return behind.submit(request);
      }
      CompletableFuture<byte[]> unanswered = new CompletableFuture<>();
      // The task only completes the future, and does not fail.
      Future<?> unused =
          behind
              .loop()
              .schedule(
                  () -> unanswered.completeExceptionally(new TimeoutException("the road is cut")),
                  100,
                  TimeUnit.MILLISECONDS);
      return unanswered;
    }

    @Override
    public int window() {
      return behind.window();
    }

    @Override
    public ScheduledExecutorService loop() {
      return behind.loop();
    }

    @Override
    public void close() {
      behind.close();
    }
  }
}
