package io.lockstep.demo;

import io.lockstep.dataplane.network.LastingConnections;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.demo.DemoStage.StoryBroken;
import io.lockstep.demo.DemoStage.Takeover;
import io.lockstep.demo.screen.DemoScreen;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The story of a balanced service: clients in both domains open connections to one virtual IP; a
 * member fails, then the node that masters a domain is killed, and connections to living members go
 * on. One thread tells it; {@link #close} may come from any, at any time.
 */
final class BalancedDemo implements AutoCloseable {
  private static final int FIRST_CONNECTIONS = 60;
  private static final int MORE_CONNECTIONS = 20;
  private static final int PER_SECOND = 30;
  private static final Duration TALK = Duration.ofMillis(500);
  private static final long LINE_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final DemoSettings settings;
  private final EmulatedDemoNetwork network;
  private final DemoScreen screen;
  private final DemoStage stage;
  private final BalancedService service;
  private final int members;
  private volatile @Nullable LastingConnections connections;
  private volatile String killedNode = "none";
  private volatile String killedMember = "none";
  private volatile long takeoverMillis = -1;
  private long lastLine = System.nanoTime();
  private boolean isOrderExact;
  private boolean closed;

  /** A demo in which nothing runs yet. */
  BalancedDemo(DemoSettings settings, EmulatedDemoNetwork network, DemoScreen screen)
      throws IOException {
    this.settings = settings;
    this.network = network;
    this.screen = screen;
    this.stage = new DemoStage(settings, network, screen::event, this::show);
    this.service = new BalancedService(stage.plan());
    this.members = network.hosts() / 2;
  }

  private static String member(int number) {
    return "m" + (number + 1);
  }

  /** One line each second: members with their connections, what is down, and who masters. */
  private void show() {
    LastingConnections shown = connections;
    long now = System.nanoTime();
    if (shown == null || now - lastLine < LINE_NANOS) {
      return;
    }
    lastLine = now;
    StringBuilder line = new StringBuilder("members");
    Map<String, Long> open = perMember(shown.connections());
    for (int i = 0; i < members; i++) {
      line.append("  ").append(member(i)).append(' ').append(open.getOrDefault(member(i), 0L));
      line.append(member(i).equals(killedMember) ? " (down)" : "");
    }
    stage
        .plan()
        .domains()
        .forEach(
            domain -> {
              int master = stage.cluster().masterOf(domain.name());
              line.append("  ").append(domain.name()).append(": ");
              line.append(master < 0 ? "no master" : stage.plan().nodeId(master));
            });
    screen.event(line + (killedNode.equals("none") ? "" : "  killed: " + killedNode));
  }

  private static Map<String, Long> perMember(List<Kept> all) {
    Map<String, Long> open = new TreeMap<>();
    for (Kept one : all) {
      if (one.state() == State.OPEN) {
        open.merge(member(one.server()), 1L, Long::sum);
      }
    }
    return open;
  }

  /** Tells the story to its end. */
  void tell() throws IOException, StoryBroken {
    stage.startNodes();
    stage.connectNetwork();
    Map<String, String> addresses = new TreeMap<>();
    List<Integer> servers = new ArrayList<>();
    List<Integer> clients = new ArrayList<>();
    for (int host = 0; host < network.hosts(); host++) {
      (host % 2 == 0 ? servers : clients).add(host);
    }
    for (int i = 0; i < servers.size(); i++) {
      addresses.put(member(i), network.address(servers.get(i)));
    }
    stage.await("all hosts are known", this::hostsAreKnown);
    service.configure(addresses);
    LastingConnections begun =
        network.keepConnections(
            BalancedService.ADDRESS,
            BalancedService.PORT,
            clients,
            servers,
            BalancedService.MEMBER_PORT);
    connections = begun;
    screen.event(
        members + " members in both domains stand behind " + BalancedService.ADDRESS + ":80");
    begun.talkEvery(TALK);
    open(begun, FIRST_CONNECTIONS);
    stage.watchFor(settings.calmMillis() / 2);
    failMember(begun, servers);
    killNode(begun);
    open(begun, MORE_CONNECTIONS);
    check(begun);
  }

  private boolean hostsAreKnown() {
    network.announceAll();
    return stage.cluster().reports().stream()
        .anyMatch(report -> report.hosts().size() == network.hosts());
  }

  /** Opens so many at each client, and waits until all are established. */
  private void open(LastingConnections begun, int perClient) throws StoryBroken {
    begun.open(perClient, PER_SECOND);
    stage.watchFor(TimeUnit.SECONDS.toMillis(1));
    awaitThat("all connections are established", () -> opening(begun) == 0);
    screen.event(begun.connections().size() + " connections are established");
  }

  private static long opening(LastingConnections begun) {
    return begun.connections().stream().filter(one -> one.state() == State.OPENING).count();
  }

  private void awaitThat(String what, BooleanSupplier condition) throws StoryBroken {
    stage.await(what, condition);
  }

  private void failMember(LastingConnections begun, List<Integer> servers) throws StoryBroken {
    int last = members - 1;
    killedMember = member(last);
    network.unplug(servers.get(last));
    begun.crash(last);
    screen.event(killedMember + " loses its power");
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.startBoundMillis());
    while (!service.isDown(killedMember)) {
      if (System.nanoTime() > deadline) {
        throw new StoryBroken("nobody noticed that " + killedMember + " is down");
      }
      stage.watchFor(200);
    }
    screen.event(killedMember + " is taken out: it missed its probes");
    open(begun, MORE_CONNECTIONS);
  }

  private void killNode(LastingConnections begun) throws StoryBroken {
    int victim = stage.firstMaster();
    if (victim < 0) {
      throw new StoryBroken("no node masters the first domain" + stage.cluster().complaint());
    }
    killedNode = stage.plan().nodeId(victim);
    begun.open(MORE_CONNECTIONS, PER_SECOND);
    for (Takeover takeover : stage.kill(victim)) {
      takeoverMillis = Math.max(takeoverMillis, takeover.millis());
    }
    stage.watchFor(Demo.SETTLE_MILLIS);
    awaitThat("connections of the take-over are established", () -> opening(begun) == 0);
  }

  /** All connections to living members are asked once more, and the order is read. */
  private void check(LastingConnections begun) throws StoryBroken {
    begun.talkNow();
    awaitThat("all living members answer", () -> silent(begun) == 0);
    int wrong = TakenOrder.wrong(service.takes());
    isOrderExact = wrong == 0;
    screen.event(
        isOrderExact
            ? "all members took their connections in turn"
            : wrong + " places of the order are wrong");
  }

  /** Connections to living members that are open and wait for an answer. */
  private long silent(LastingConnections begun) {
    return begun.connections().stream()
        .filter(one -> one.state() == State.OPEN && one.waits() && isAlive(one))
        .count();
  }

  private boolean isAlive(Kept one) {
    return !member(one.server()).equals(killedMember);
  }

  /** What became of it. */
  BalancedResult result() {
    LastingConnections begun = connections;
    List<Kept> all = begun == null ? List.of() : begun.connections();
    long broken =
        all.stream().filter(one -> one.state() == State.BROKEN && isAlive(one)).count()
            + (isOrderExact || begun == null ? 0 : silent(begun));
    Map<String, Long> open = new TreeMap<>();
    for (int i = 0; i < members; i++) {
      open.put(member(i), 0L);
    }
    open.putAll(perMember(all));
    return BalancedResult.judged(
        new BalancedResult(
            DemoSettings.NODES,
            stage.plan().domains().size(),
            members,
            all.stream().filter(one -> one.state() != State.OPENING).count(),
            open,
            broken,
            killedNode,
            killedMember,
            takeoverMillis,
            false),
        isOrderExact);
  }

  /** Shows what goes on until the thread is interrupted or the process ends. */
  void runOn() {
    screen.event("everything runs on; Ctrl-C ends it");
    while (!Thread.currentThread().isInterrupted()) {
      stage.watchFor(1000);
    }
  }

  /** Keeps the logs for whoever wants to know what went wrong. */
  void keepLogs() {
    stage.keepLogs();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    LastingConnections begun = connections;
    if (begun != null) {
      begun.close();
    }
    stage.close();
  }
}
