package io.lockstep.deploy.demo;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.demo.DemoScreen.DomainLine;
import io.lockstep.deploy.demo.DemoScreen.NodeLine;
import io.lockstep.deploy.demo.DemoScreen.Picture;
import io.lockstep.deploy.demo.PingBoard.Counts;
import io.lockstep.deploy.demo.PingBoard.Phase;
import io.lockstep.deploy.demo.PingBoard.Tally;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.launch.RunDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The demo's story: nodes start, the network connects, all hosts ping each other; the node that
 * masters a domain is killed, another takes over, the killed one comes back. One thread tells it;
 * {@link #close} may come from any, at any time, and leaves nothing behind.
 */
final class Demo implements AutoCloseable {
  private static final int SHOW_MILLIS = 200;

  /** A new master first proves the ports of hosts: until then new flows may still fail. */
  private static final long SETTLE_MILLIS = 1000;

  /** Shorter than the pause between a slow pair's pings: each of those needs new flow entries. */
  private static final String SHORT_FLOWS =
      "applications: {learningSwitch: {idleTimeoutSeconds: 1}}\n";

  private final DemoSettings settings;
  private final DemoNetwork network;
  private final DemoScreen screen;
  private final PortBlock ports;
  private final RunDirectory directory;
  private final ClusterPlan plan;
  private final DemoCluster cluster;
  private final PingBoard pings;
  private volatile String killedNode = "none";
  private volatile long takeoverMillis = -1;
  private boolean closed;

  /** A demo in which nothing runs yet. */
  Demo(DemoSettings settings, DemoNetwork network, DemoScreen screen) throws IOException {
    this.settings = settings;
    this.network = network;
    this.screen = screen;
    this.ports = PortBlock.take();
    this.directory = RunDirectory.create("lockstep-demo-");
    this.plan =
        new ClusterPlan(
            directory.path(), "demo", DemoSettings.NODES, ports, network.domains(), SHORT_FLOWS);
    this.cluster = new DemoCluster(plan, screen::event);
    this.pings = PingBoard.idle(network.hosts(), network.pinger());
  }

  /** A scene did not end in time, or ended badly; the message says why. */
  static final class StoryBroken extends Exception {
    private static final long serialVersionUID = 1L;

    StoryBroken(String message) {
      super(message);
    }
  }

  /** Tells the story up to the return of the killed node. */
  void tell() throws IOException, StoryBroken {
    plan.writeConfigurations();
    screen.event("run directory " + directory.path());
    startNodes();
    connectNetwork();
    pings.start();
    await("all hosts answer each other", () -> pings.tally().allAnswered());
    // A node that was faster at the start gives its domain back, which is not what is to be shown.
    await("every domain is with its first node", this::settled);
    pings.enter(Phase.BEFORE);
    screen.event("all " + network.hosts() + " hosts ping each other; counting from here");
    calm();
    killAndTakeOver();
    calm();
    bringBack();
    calm();
  }

  /** Shows what goes on until the thread is interrupted or the process ends. */
  void runOn() {
    screen.event("everything runs on; Ctrl-C ends it");
    while (!Thread.currentThread().isInterrupted()) {
      show();
      DemoCluster.pause(SHOW_MILLIS);
    }
  }

  private void startNodes() throws IOException, StoryBroken {
    long started = System.nanoTime();
    cluster.start();
    await("all nodes are ready", cluster::allReady);
    screen.event(
        DemoSettings.NODES
            + " nodes are ready after "
            + millisSince(started)
            + " ms; state on their disks");
  }

  private void connectNetwork() throws StoryBroken {
    List<InetSocketAddress> controllers = new ArrayList<>();
    for (int i = 0; i < plan.nodes(); i++) {
      controllers.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.openflowPort(i)));
    }
    network.start(controllers);
    await(
        "every switch has its master",
        () -> plan.domains().stream().allMatch(domain -> fullyMastered(domain)));
    await("all links are known", () -> cluster.links() >= network.directedLinks());
    screen.event(switches() + " switches are mastered, " + cluster.links() + " links are known");
  }

  private boolean settled() {
    return plan.domains().stream()
        .allMatch(
            domain ->
                cluster.masterOf(domain.name()) == domain.firstMaster() && fullyMastered(domain));
  }

  private boolean fullyMastered(DomainPlan domain) {
    int master = cluster.masterOf(domain.name());
    return master >= 0 && cluster.mastered(master, domain.name()) == domain.dpids().size();
  }

  private void killAndTakeOver() throws StoryBroken {
    int victim = cluster.masterOf(plan.domains().get(0).name());
    if (victim < 0) {
      throw new StoryBroken(
          "nobody masters domain " + plan.domains().get(0).name() + cluster.complaint());
    }
    List<DomainPlan> orphans =
        plan.domains().stream()
            .filter(domain -> cluster.masterOf(domain.name()) == victim)
            .toList();
    killedNode = plan.nodeId(victim);
    pings.enter(Phase.DURING);
    long killed = System.nanoTime();
    cluster.kill(victim);
    screen.event("kill -9 " + killedNode + ", which masters " + names(orphans));
    long deadline = killed + TimeUnit.MILLISECONDS.toNanos(settings.takeoverBoundMillis());
    for (DomainPlan domain : orphans) {
      int successor = cluster.awaitTakeover(victim, domain.name(), domain.dpids().size(), deadline);
      if (successor < 0) {
        throw new StoryBroken(
            "nobody took over domain "
                + domain.name()
                + " within "
                + settings.takeoverBoundMillis()
                + " ms"
                + cluster.complaint());
      }
      takeoverMillis = millisSince(killed);
      screen.event(
          plan.nodeId(successor)
              + " masters all "
              + domain.dpids().size()
              + " switches of "
              + domain.name()
              + " after "
              + takeoverMillis
              + " ms");
    }
    watchFor(SETTLE_MILLIS);
    pings.enter(Phase.AFTER);
  }

  private static String names(List<DomainPlan> domains) {
    return String.join(" and ", domains.stream().map(DomainPlan::name).toList());
  }

  private void bringBack() throws IOException, StoryBroken {
    int victim = Integer.parseInt(killedNode.substring(1)) - 1;
    long started = System.nanoTime();
    screen.event("starting " + killedNode + " again");
    cluster.restart(victim);
    await(
        killedNode + " is ready again",
        () -> {
          NodeReport report = cluster.report(victim);
          return report != null && report.ready();
        });
    screen.event(killedNode + " is back after " + millisSince(started) + " ms");
  }

  /** What became of it. Waits for the pings on their way where the demo ends by itself. */
  DemoResult result() {
    pings.stopSending();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(5);
    while (pings.tally().inFlight() > 0 && System.nanoTime() < deadline) {
      DemoCluster.pause(20);
    }
    Tally tally = pings.tally();
    Counts before = tally.of(Phase.BEFORE);
    Counts after = tally.of(Phase.AFTER);
    boolean pass =
        takeoverMillis >= 0
            && takeoverMillis <= settings.takeoverBoundMillis()
            && before.sent() > 0
            && before.lost() == 0
            && after.sent() > 0
            && after.lost() == 0;
    return new DemoResult(
        DemoSettings.NODES,
        plan.domains().size(),
        switches(),
        network.hosts(),
        killedNode,
        takeoverMillis,
        new DemoResult.Pings(before, tally.of(Phase.DURING), after),
        pass);
  }

  private int switches() {
    return plan.domains().stream().mapToInt(domain -> domain.dpids().size()).sum();
  }

  private void await(String what, BooleanSupplier condition) throws StoryBroken {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(settings.startBoundMillis());
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        directory.keep();
        throw new StoryBroken(
            "not within "
                + settings.startBoundMillis() / 1000
                + " s: "
                + what
                + cluster.complaint());
      }
      show();
      DemoCluster.pause(50);
    }
  }

  private void calm() {
    watchFor(settings.calmMillis());
  }

  private void watchFor(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      show();
      DemoCluster.pause(SHOW_MILLIS);
    }
  }

  private void show() {
    List<NodeLine> nodes = new ArrayList<>();
    for (int i = 0; i < plan.nodes(); i++) {
      NodeReport report = cluster.report(i);
      NodeReport.ReplicaReport replica = report == null ? null : report.replica();
      String state =
          !cluster.running(i) ? "down" : report == null || !report.ready() ? "starting" : "up";
      nodes.add(
          new NodeLine(
              plan.nodeId(i),
              state,
              replica == null ? "-" : replica.phase(),
              replica != null && replica.leader() == replica.id(),
              cluster.domainsOf(i)));
    }
    List<DomainLine> domains = new ArrayList<>();
    for (DomainPlan domain : plan.domains()) {
      int master = cluster.masterOf(domain.name());
      domains.add(
          new DomainLine(
              domain.name(),
              master,
              master < 0 ? "none" : plan.nodeId(master),
              master < 0 ? 0 : cluster.mastered(master, domain.name()),
              domain.dpids().size()));
    }
    screen.show(new Picture(nodes, domains, pings.tally()));
  }

  private static long millisSince(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - nanos);
  }

  /** Keeps the logs for whoever wants to know what went wrong. */
  void keepLogs() {
    directory.keep();
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    pings.close();
    cluster.close();
    network.close();
    ports.close();
    directory.close();
  }
}
