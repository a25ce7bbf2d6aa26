package io.lockstep.demo;

import io.lockstep.demo.PingBoard.Phase;
import io.lockstep.demo.PingBoard.Tally;
import io.lockstep.demo.screen.Picture;
import io.lockstep.deploy.admin.NodeReport;
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
import java.util.function.Consumer;

/**
 * What runs in a demo, and what can be done to it. One thread acts; {@link #picture} and {@link
 * #close} may come from any, at any time. Closing leaves nothing behind.
 */
final class DemoStage implements AutoCloseable {
  private static final int SHOW_MILLIS = 200;

  private final DemoSettings settings;
  private final DemoNetwork network;
  private final Consumer<String> events;
  private final Runnable whileWaiting;
  private final PortBlock ports;
  private final RunDirectory directory;
  private final ClusterPlan plan;
  private final DemoCluster cluster;
  private final PingBoard pings;
  private volatile String cutLink = "";
  private boolean closed;

  /**
   * A demo in which nothing runs yet.
   *
   * @param events gets what happens
   * @param whileWaiting called several times a second while the acting thread waits
   */
  DemoStage(
      DemoSettings settings, DemoNetwork network, Consumer<String> events, Runnable whileWaiting)
      throws IOException {
    this.settings = settings;
    this.network = network;
    this.events = events;
    this.whileWaiting = whileWaiting;
    this.ports = PortBlock.take();
    this.directory = RunDirectory.create("lockstep-demo-");
    this.plan =
        new ClusterPlan(
            directory.path(),
            "demo",
            DemoSettings.NODES,
            ports,
            network.domains(),
            settings.applicationSection());
    this.cluster = new DemoCluster(plan, settings.nodeOptions(), events);
    this.pings = PingBoard.idle(network.hosts(), network.pinger());
  }

  /** A scene did not end in time, or ended badly; the message says why. */
  static final class StoryBroken extends Exception {
    private static final long serialVersionUID = 1L;

    StoryBroken(String message) {
      super(message);
    }

    StoryBroken(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /**
   * A take-over.
   *
   * @param millis from the kill until the successor mastered all switches of the domain
   */
  record Takeover(String domain, int switches, String successor, long millis) {}

  ClusterPlan plan() {
    return plan;
  }

  DemoCluster cluster() {
    return cluster;
  }

  DemoNetwork network() {
    return network;
  }

  PingBoard pings() {
    return pings;
  }

  int switches() {
    return plan.domains().stream().mapToInt(domain -> domain.dpids().size()).sum();
  }

  /** Starts the nodes, and waits until all are ready. */
  void startNodes() throws IOException, StoryBroken {
    plan.writeConfigurationsWithKeys();
    events.accept("run directory " + directory.path());
    long started = System.nanoTime();
    cluster.start();
    await("all nodes are ready", cluster::allReady);
    events.accept(
        DemoSettings.NODES
            + " nodes are ready after "
            + millisSince(started)
            + " ms; state on their disks");
  }

  /** Connects the switches, and waits until each has its master and all links are known. */
  void connectNetwork() throws StoryBroken {
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
    events.accept(switches() + " switches are mastered, " + cluster.links() + " links are known");
  }

  /** Begins to ping, and waits until all hosts answer; the counting starts then. */
  void ping() throws StoryBroken {
    pings.start();
    await("all hosts answer each other", () -> pings.tally().allAnswered());
    // A node that was faster at the start gives its domain back, which is not what is to be shown.
    await("every domain is with its first node", this::settled);
    pings.enter(Phase.BEFORE);
    events.accept("all " + network.hosts() + " hosts ping each other; counting from here");
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

  /** The node that masters the first domain; -1 where none does. */
  int firstMaster() {
    return cluster.masterOf(plan.domains().get(0).name());
  }

  /**
   * Kills a node, and waits until others master what it mastered.
   *
   * @return the take-overs, none where it mastered nothing
   * @throws StoryBroken where a domain has no master in time
   */
  List<Takeover> kill(int victim) throws StoryBroken {
    List<DomainPlan> orphans =
        plan.domains().stream()
            .filter(domain -> cluster.masterOf(domain.name()) == victim)
            .toList();
    pings.enter(Phase.DURING);
    long killed = System.nanoTime();
    cluster.kill(victim);
    events.accept("kill -9 " + plan.nodeId(victim) + ", which masters " + names(orphans));
    long deadline = killed + TimeUnit.MILLISECONDS.toNanos(settings.takeoverBoundMillis());
    List<Takeover> takeovers = new ArrayList<>();
    for (DomainPlan domain : orphans) {
      takeovers.add(awaitTakeover(victim, domain, killed, deadline));
    }
    return takeovers;
  }

  private Takeover awaitTakeover(int victim, DomainPlan domain, long killed, long deadline)
      throws StoryBroken {
    int switches = domain.dpids().size();
    int successor = cluster.awaitTakeover(victim, domain.name(), switches, deadline);
    if (successor < 0) {
      throw new StoryBroken(
          "nobody took over domain "
              + domain.name()
              + " within "
              + settings.takeoverBoundMillis()
              + " ms"
              + cluster.complaint());
    }
    Takeover takeover =
        new Takeover(domain.name(), switches, plan.nodeId(successor), millisSince(killed));
    events.accept(
        takeover.successor
            + " masters all "
            + switches
            + " switches of "
            + domain.name()
            + " after "
            + takeover.millis
            + " ms");
    return takeover;
  }

  private static String names(List<DomainPlan> domains) {
    return domains.isEmpty()
        ? "no domain"
        : String.join(" and ", domains.stream().map(DomainPlan::name).toList());
  }

  /** Starts a killed node; does not wait. */
  void restart(int node) throws IOException {
    events.accept("starting " + plan.nodeId(node) + " again");
    cluster.restart(node);
  }

  boolean ready(int node) {
    NodeReport report = cluster.report(node);
    return report != null && report.ready();
  }

  /** Cuts or restores a link, numbered from 0. */
  void setLink(int link, boolean up) {
    network.setLink(link, up);
    cutLink = up ? "" : network.linkName(link);
  }

  void await(String what, BooleanSupplier condition) throws StoryBroken {
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
      whileWaiting.run();
      DemoCluster.pause(50);
    }
  }

  void watchFor(long millis) {
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    while (System.nanoTime() < end) {
      whileWaiting.run();
      DemoCluster.pause(SHOW_MILLIS);
    }
  }

  /** The state now. */
  Picture picture() {
    return new Picture(
        nodes(),
        domains(),
        new Picture.Links(cluster.links(), network.directedLinks(), cutLink),
        network.places(cluster.reports()),
        pingsShown());
  }

  private List<Picture.Node> nodes() {
    List<Picture.Node> nodes = new ArrayList<>();
    for (int i = 0; i < plan.nodes(); i++) {
      NodeReport report = cluster.report(i);
      NodeReport.ReplicaReport replica = report == null ? null : report.replica();
      Picture.NodeState state =
          !cluster.running(i)
              ? Picture.NodeState.DOWN
              : report == null || !report.ready()
                  ? Picture.NodeState.STARTING
                  : Picture.NodeState.UP;
      nodes.add(
          new Picture.Node(
              plan.nodeId(i),
              state,
              replica == null ? "-" : replica.phase(),
              replica != null && replica.leader() == replica.id(),
              cluster.domainsOf(i)));
    }
    return nodes;
  }

  private List<Picture.Domain> domains() {
    List<Picture.Domain> domains = new ArrayList<>();
    for (DomainPlan domain : plan.domains()) {
      int master = cluster.masterOf(domain.name());
      domains.add(
          new Picture.Domain(
              domain.name(),
              master,
              master < 0 ? "none" : plan.nodeId(master),
              master < 0 ? 0 : cluster.mastered(master, domain.name()),
              domain.dpids().size()));
    }
    return domains;
  }

  private Picture.Pings pingsShown() {
    Tally tally = pings.tally();
    return new Picture.Pings(
        tally.of(Phase.WARM_UP).sent(),
        shown(tally, Phase.BEFORE),
        shown(tally, Phase.DURING),
        shown(tally, Phase.AFTER),
        shown(tally, Phase.CHANGE),
        tally.longestGapMillis());
  }

  private static Picture.Count shown(Tally tally, Phase phase) {
    return new Picture.Count(tally.of(phase).sent(), tally.of(phase).lost());
  }

  static long millisSince(long nanos) {
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
