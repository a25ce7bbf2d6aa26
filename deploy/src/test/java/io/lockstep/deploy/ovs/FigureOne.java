package io.lockstep.deploy.ovs;

import io.lockstep.core.path.Hop;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The network of the paper's Fig. 1: host h1 at switch 1, host h2 at switch 4, switches 1 and 2 are
 * domain west, 3 and 4 domain east, and cables that a capture can see. Used by one thread at a
 * time.
 */
final class FigureOne implements AutoCloseable {
  /** The preferred master is the second node. */
  static final DomainPlan WEST = new DomainPlan("west", List.of(1L, 2L), 1);

  /** The preferred master is the first node. */
  static final DomainPlan EAST = new DomainPlan("east", List.of(3L, 4L), 0);

  /** Ways from switch 1 to switch 4. From each of the first two to the other one may loop. */
  static final List<List<Integer>> WAYS =
      List.of(List.of(1, 2, 3, 4), List.of(1, 3, 2, 4), List.of(1, 2, 4), List.of(1, 3, 4));

  /**
   * Switches 2 and 3 have a cable for each direction: a switch sends no packet back to the port
   * where it came in, so with one cable a loop of two switches would be a loss.
   */
  private static final int[][] CABLES = {{1, 2}, {1, 3}, {2, 3}, {3, 2}, {2, 4}, {3, 4}};

  /** How many switches there are. */
  static final int SWITCHES = 4;

  private final OpenVSwitch ovs;
  private final OvsHost sender;
  private final OvsHost receiver;

  /** Numbers of ports, which stay as they are. */
  private final Map<String, Integer> ports = new HashMap<>();

  private FigureOne(OpenVSwitch ovs) {
    this.ovs = ovs;
    for (int i = 1; i <= SWITCHES; i++) {
      ovs.addBridge(bridge(i), i);
    }
    for (int[] cable : CABLES) {
      ovs.cable(name(cable), bridge(cable[0]), bridge(cable[1]));
    }
    sender = ovs.addHost(bridge(1), "h1", "10.78.0.1/24", "02:00:00:00:01:01");
    receiver = ovs.addHost(bridge(SWITCHES), "h2", "10.78.0.2/24", "02:00:00:00:01:02");
    meet(sender, receiver);
    meet(receiver, sender);
  }

  /** No question for an address is asked: only what the test installs decides. */
  private static void meet(OvsHost host, OvsHost other) {
    host.must("ip", "neighbour", "replace", other.ip(), "lladdr", other.mac(), "dev", "eth0");
  }

  /**
   * Builds the network; its switches then connect to all the controllers.
   *
   * @param runDirectory empty
   * @param ports of the controllers, on loopback
   */
  static FigureOne start(Path runDirectory, List<Integer> ports) {
    OpenVSwitch ovs = OpenVSwitch.start(runDirectory);
    try {
      FigureOne network = new FigureOne(ovs);
      String[] controllers =
          ports.stream().map(port -> "tcp:127.0.0.1:" + port).toArray(String[]::new);
      for (int i = 1; i <= SWITCHES; i++) {
        ovs.setControllers(bridge(i), controllers);
      }
      return network;
    } catch (RuntimeException e) {
      ovs.close();
      throw e;
    }
  }

  private static String bridge(int number) {
    return "s" + number;
  }

  private static String name(int[] cable) {
    return "c" + cable[0] + cable[1];
  }

  /** The host whose packets take the path. */
  OvsHost sender() {
    return sender;
  }

  /** The host to which the path leads. */
  OvsHost receiver() {
    return receiver;
  }

  /** The interfaces on which every packet of the network can be seen: h1's, h2's, the cables'. */
  List<String> interfaces() {
    List<String> all = new ArrayList<>(List.of(sender.namespace(), receiver.namespace()));
    for (int[] cable : CABLES) {
      all.add(ovs.systemName(name(cable) + "a"));
    }
    return all;
  }

  /** Lets a switch speak OpenFlow 1.0 only. */
  void speakOpenFlow10(int number) {
    ovs.vsctl("set", "bridge", ovs.systemName(bridge(number)), "protocols=OpenFlow10");
  }

  /** The hops of a way through these switches, to the host at its end. */
  List<Hop> hops(List<Integer> way, String host) {
    List<Hop> hops = new ArrayList<>();
    for (int i = 0; i < way.size(); i++) {
      boolean last = i == way.size() - 1;
      hops.add(new Hop(way.get(i), last ? port(host) : portTo(way.get(i), way.get(i + 1))));
    }
    return hops;
  }

  private long port(String name) {
    return ports.computeIfAbsent(name, ovs::portNumber);
  }

  private long portTo(int from, int to) {
    for (int[] cable : CABLES) {
      if (cable[0] == from && cable[1] == to) {
        return port(name(cable) + "a");
      }
    }
    return port(name(new int[] {to, from}) + "b");
  }

  /** What there is to see: for a failed test. */
  String describe() {
    StringBuilder text = new StringBuilder("---- Open vSwitch\n");
    for (int i = 1; i <= SWITCHES; i++) {
      text.append(bridge(i)).append(":\n").append(ovs.ofctl("dump-flows", bridge(i))).append('\n');
    }
    return text.toString();
  }

  @Override
  public void close() {
    ovs.close();
  }
}
