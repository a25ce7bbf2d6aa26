package io.lockstep.deploy.ovs;

import io.lockstep.core.path.Hop;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.ovs.CapturedPings.Tally;
import io.lockstep.deploy.placed.RemoteApplication;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.onlab.packet.MacAddress;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowEntry.FlowEntryState;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/**
 * Three nodes, the network of Fig. 1, and an application of each of the two domains. What no path
 * takes is dropped, so that no other application hides a loss. Replies take a way that does not
 * change. Taken down after the class, and also where the tests' process is told to end. Used by one
 * thread.
 */
final class UnisonTestbed implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  /** A busy machine may need half a minute for one that was killed. */
  private static final Duration PATIENCE_FOR_A_START = Duration.ofMinutes(3);

  static final int PATH_PRIORITY = 40_000;
  private static final int DROP_PRIORITY = 30_000;
  private static final int FLIGHT_MILLIS = 1_000;

  private final Path directory;
  private final Deque<AutoCloseable> opened = new ConcurrentLinkedDeque<>();
  private final List<RemoteApplication> applications = new ArrayList<>();
  private final ClusterProcesses cluster;
  private final FigureOne network;
  private final Thread hook = new Thread(this::takeDown, "take down the network of Fig. 1");
  private int captures;

  /** Returns when all switches are mastered, and what does not change is installed. */
  UnisonTestbed() throws Exception {
    // Short: the path of a socket in it has at most 107 bytes.
    directory = Files.createTempDirectory(Path.of("/tmp"), "lockstep-unison-");
    opened.push(() -> remove(directory));
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      cluster =
          open(
              ClusterProcesses.prepare(
                  directory,
                  List.of(FigureOne.WEST, FigureOne.EAST),
                  "timeouts: {handBackMillis: 3000}\npaths: {flightMillis: "
                      + FLIGHT_MILLIS
                      + "}\n"));
      cluster.startAll();
      cluster.awaitReady();
      ClusterPlan plan = cluster.plan();
      network =
          open(
              FigureOne.start(
                  Files.createDirectory(directory.resolve("ovs")),
                  IntStream.range(0, plan.nodes()).mapToObj(plan::openflowPort).toList()));
      for (int i = 0; i < 2; i++) {
        applications.add(open(new RemoteApplication(plan, i)));
      }
      awaitPreferred();
      install();
    } catch (Exception | AssertionError e) {
      close();
      throw e;
    }
  }

  private <T extends AutoCloseable> T open(T part) {
    opened.push(part);
    return part;
  }

  private void install() {
    List<FlowRule> rules = new ArrayList<>();
    for (int dpid = 1; dpid <= FigureOne.SWITCHES; dpid++) {
      TrafficTreatment drop = DefaultTrafficTreatment.builder().drop().build();
      rules.add(rule(1, dpid, DROP_PRIORITY, drop, network.receiver()));
    }
    for (Hop hop : network.hops(List.of(4, 2, 1), "h1")) {
      rules.add(rule(2, hop.dpid(), PATH_PRIORITY, output(hop), network.sender()));
    }
    apply(rules);
  }

  private static void remove(Path below) throws IOException {
    try (Stream<Path> files = Files.walk(below)) {
      for (Path each : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    }
  }

  @Override
  public void close() throws Exception {
    Runtime.getRuntime().removeShutdownHook(hook);
    closeAll();
  }

  /** Takes down the others, too, where one cannot be. */
  private void closeAll() throws Exception {
    AutoCloseable part = opened.poll();
    if (part != null) {
      try {
        part.close();
      } finally {
        closeAll();
      }
    }
  }

  private void takeDown() {
    try {
      closeAll();
    } catch (Exception e) {
      System.out.println("taking down the network of Fig. 1: " + e);
    }
  }

  FigureOne network() {
    return network;
  }

  /** The application of a domain: 0 for west, 1 for east. */
  RemoteApplication application(int domain) {
    return applications.get(domain);
  }

  /** Waits until each domain is mastered by the node that is to master it. */
  void awaitPreferred() {
    cluster.awaitReady();
    cluster.awaitPreferred(FigureOne.WEST);
    cluster.awaitPreferred(FigureOne.EAST);
  }

  /**
   * Kills a master and starts it again, once all nodes are ready; does not wait for what follows.
   */
  void killMaster(DomainPlan domain) {
    Await.until(
        "all nodes are ready",
        PATIENCE_FOR_A_START,
        () -> {
          for (NodeProcess node : cluster.nodes()) {
            if (!node.report().ready()) {
              return false;
            }
          }
          return true;
        },
        this::describe);
    NodeProcess master = cluster.awaitMaster(domain);
    master.kill();
    master.start();
  }

  String describe() {
    return applications.get(0).paths().paths()
        + "\n"
        + described(0)
        + described(1)
        + network.describe()
        + "\n"
        + cluster.logs();
  }

  /** The rules as an application sees them. */
  private String described(int application) {
    StringBuilder text = new StringBuilder("---- rules, application " + application + "\n");
    for (int dpid = 1; dpid <= FigureOne.SWITCHES; dpid++) {
      for (FlowEntry entry : application(application).rules().getFlowEntries(device(dpid))) {
        text.append(entry).append('\n');
      }
    }
    return text.toString();
  }

  private static DeviceId device(long dpid) {
    return DeviceId.deviceId(String.format("of:%016x", dpid));
  }

  // ---- rules ----

  static TrafficSelector to(OvsHost host) {
    return DefaultTrafficSelector.builder()
        .matchEthType((short) 0x800)
        .matchEthDst(MacAddress.valueOf(host.mac()))
        .build();
  }

  static TrafficTreatment output(Hop hop) {
    return DefaultTrafficTreatment.builder()
        .setOutput(PortNumber.portNumber(hop.outPort()))
        .build();
  }

  static FlowRule rule(
      int application, long dpid, int priority, TrafficTreatment treatment, OvsHost to) {
    return DefaultFlowRule.builder()
        .forDevice(device(dpid))
        .withSelector(to(to))
        .withTreatment(treatment)
        .withPriority(priority)
        .fromApp(new DefaultApplicationId(application, "unison" + application))
        .makePermanent()
        .build();
  }

  /** Installs rules, and waits for that. */
  void apply(Collection<FlowRule> rules) {
    application(0).rules().applyFlowRules(rules.toArray(FlowRule[]::new));
    Await.until(
        "the rules are installed",
        PATIENCE,
        () -> rules.stream().allMatch(rule -> isInstalled(application(0), rule)),
        this::describe);
  }

  /** Removes rules, and waits for that. */
  void remove(Collection<FlowRule> rules) {
    application(0).rules().removeFlowRules(rules.toArray(FlowRule[]::new));
    Await.until(
        "the rules are removed",
        PATIENCE,
        () -> rules.stream().allMatch(rule -> isGone(application(0), rule)),
        this::describe);
  }

  /** Whether a switch has confirmed a rule as it is here. */
  static boolean isInstalled(RemoteApplication application, FlowRule rule) {
    FlowEntry entry = application.rules().getFlowEntry(rule);
    return entry != null
        && entry.state() == FlowEntryState.ADDED
        && entry.treatment().equals(rule.treatment());
  }

  static boolean isGone(RemoteApplication application, FlowRule rule) {
    return application.rules().getFlowEntry(rule) == null;
  }

  // ---- packets ----

  /** Something that may fail. */
  @FunctionalInterface
  interface Work {
    void run() throws Exception;
  }

  /** Counts pings while some work is done; the network is quiet before and after. */
  Tally whilePinging(Work work) throws Exception {
    OvsHost from = network.sender();
    String to = network.receiver().ip();
    Path file = directory.resolve("pings-" + captures++ + ".pcapng");
    NumberedPackets packets = open(NumberedPackets.capture(file, network.interfaces()));
    try {
      List<Process> pings = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        pings.add(from.spawn("ping", "-n", "-q", "-i", "0.002", to));
      }
      try {
        work.run();
      } finally {
        for (Process ping : pings) {
          ping.destroy();
          ping.onExit().join();
        }
      }
      // What is answered behind all others: those have arrived, or never will.
      Instant last = Instant.now().truncatedTo(ChronoUnit.MICROS);
      Await.until(
          "pings go through",
          PATIENCE,
          () -> from.succeeds("ping", "-n", "-c1", "-W1", to),
          this::describe);
      packets.awaitWritten(last);
      return packets.stop();
    } finally {
      opened.remove(packets);
      packets.close();
      Files.deleteIfExists(file);
    }
  }
}
