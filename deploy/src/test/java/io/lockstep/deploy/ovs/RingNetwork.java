package io.lockstep.deploy.ovs;

import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Four bridges in a ring, two hosts at each: bridges 1 and 2 are domain west, 3 and 4 domain east.
 * Used by one thread at a time.
 */
final class RingNetwork implements AutoCloseable {
  /** The preferred master is the second node. */
  static final DomainPlan WEST = new DomainPlan("west", List.of(1L, 2L), 1);

  /** The preferred master is the first node. */
  static final DomainPlan EAST = new DomainPlan("east", List.of(3L, 4L), 0);

  /** How many bridges there are. */
  static final int SWITCHES = 4;

  /** How many links there are, each direction counted. */
  static final int DIRECTED_LINKS = 2 * SWITCHES;

  private static final int HOSTS_PER_SWITCH = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final OpenVSwitch ovs;
  private final List<OvsHost> hosts = new ArrayList<>();

  private RingNetwork(OpenVSwitch ovs) {
    this.ovs = ovs;
  }

  /** The two domains. */
  static List<DomainPlan> domains() {
    return List.of(WEST, EAST);
  }

  /**
   * Builds the network; its switches then connect to all the controllers.
   *
   * @param runDirectory empty
   * @param ports of the controllers, on loopback
   */
  static RingNetwork start(Path runDirectory, List<Integer> ports) {
    RingNetwork network = new RingNetwork(OpenVSwitch.start(runDirectory));
    try {
      network.build(ports.stream().map(port -> "tcp:127.0.0.1:" + port).toArray(String[]::new));
      return network;
    } catch (RuntimeException e) {
      network.close();
      throw e;
    }
  }

  private void build(String... controllers) {
    for (int i = 1; i <= SWITCHES; i++) {
      ovs.addBridge(bridge(i), i);
    }
    for (int i = 1; i <= SWITCHES; i++) {
      ovs.patch(bridge(i), bridge(i % SWITCHES + 1));
    }
    for (int i = 1; i <= SWITCHES * HOSTS_PER_SWITCH; i++) {
      String mac = String.format(Locale.ROOT, "02:00:00:00:00:%02x", i);
      OvsHost host =
          ovs.addHost(
              bridge((i + HOSTS_PER_SWITCH - 1) / HOSTS_PER_SWITCH),
              "h" + i,
              "10.77.0." + i + "/24",
              mac);
      // A lost question for an address is asked again after 0.1 s instead of 1 s: else that second
      // is what a test about time would measure.
      host.must("sysctl", "-q", "-w", "net.ipv4.neigh.eth0.retrans_time_ms=100");
      hosts.add(host);
    }
    for (int i = 1; i <= SWITCHES; i++) {
      ovs.setControllers(bridge(i), controllers);
    }
  }

  private static String bridge(int number) {
    return "s" + number;
  }

  /** Cuts the link from a switch, numbered from 1, to the next one. */
  void cut(int number) {
    ovs.ofctl("mod-port", bridge(number), ovs.systemName("p" + number + "a"), "down");
    String next = bridge(number % SWITCHES + 1);
    ovs.ofctl("mod-port", next, ovs.systemName("p" + number + "b"), "down");
  }

  /** The host with this number, from 1. */
  OvsHost host(int number) {
    return hosts.get(number - 1);
  }

  /** All hosts. */
  List<OvsHost> hosts() {
    return List.copyOf(hosts);
  }

  /**
   * Waits until no switch has a flow entry any more that names one of the hosts, and lets the hosts
   * forget their neighbours: what they send next needs a controller.
   */
  void awaitFreshness(OvsHost... fresh) {
    for (OvsHost host : fresh) {
      Await.until(
          "the flow entries of " + host.name() + " are gone",
          PATIENCE,
          () -> !flows().contains(host.mac()),
          this::flows);
      host.must("ip", "neigh", "flush", "all");
    }
  }

  private String flows() {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= SWITCHES; i++) {
      text.append(bridge(i)).append(":\n").append(ovs.ofctl("dump-flows", bridge(i))).append('\n');
    }
    return text.toString();
  }

  /** What there is to see: for a failed test. */
  String describe() {
    return "---- Open vSwitch\n"
        + ovs.vsctl("show")
        + "\n"
        + ovs.vsctl("--columns=target,role,is_connected,status", "list", "controller")
        + "\n"
        + flows()
        + "\n"
        + ovs.appctl("coverage/show").lines().filter(line -> line.contains("drop")).toList();
  }

  @Override
  public void close() {
    ovs.close();
  }
}
