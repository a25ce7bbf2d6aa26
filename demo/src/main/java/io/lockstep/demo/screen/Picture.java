package io.lockstep.demo.screen;

import java.util.List;

/** The state of the cluster and its network at one moment, as the demo shows it. */
public record Picture(
    List<Node> nodes, List<Domain> domains, Links links, List<Host> hosts, Pings pings) {

  public Picture {
    nodes = List.copyOf(nodes);
    domains = List.copyOf(domains);
    hosts = List.copyOf(hosts);
  }

  /** A node's process, and what the node reports. */
  public enum NodeState {
    DOWN("down"),
    STARTING("starting"),
    UP("up");

    private final String word;

    NodeState(String word) {
      this.word = word;
    }

    @Override
    public String toString() {
      return word;
    }
  }

  /**
   * A node.
   *
   * @param replica the phase of its replica of the store, {@code -} where the node does not answer
   * @param leader whether its replica leads the store
   * @param masters the domains that it masters
   */
  public record Node(
      String id, NodeState state, String replica, boolean leader, List<String> masters) {
    public Node {
      masters = List.copyOf(masters);
    }
  }

  /**
   * A domain.
   *
   * @param master position among the nodes, -1 for none
   * @param mastered switches on which the master acts
   */
  public record Domain(String name, int master, String masterId, int mastered, int switches) {}

  /**
   * The links between switches, each direction counted.
   *
   * @param known to the cluster
   * @param cut the name of the link that is cut; empty for none
   */
  public record Links(int known, int all, String cut) {}

  /** A host and the switch where the cluster sees it; {@code -} where it sees it nowhere. */
  public record Host(String name, String at) {}

  /**
   * Pings with a known end, by when they were sent.
   *
   * @param warmUp before all hosts answered for the first time; they count nowhere else
   * @param before the first node was killed
   * @param changes while a link was cut or restored or a host moved
   */
  public record Pings(
      long warmUp, Count before, Count during, Count after, Count changes, long longestGapMillis) {

    /** All but those of the warm-up. */
    public long sent() {
      return before.sent + during.sent + after.sent + changes.sent;
    }

    /** All but those of the warm-up. */
    public long lost() {
      return before.lost + during.lost + after.lost + changes.lost;
    }
  }

  /** Pings, and how many of them were lost. */
  public record Count(long sent, long lost) {
    /** No pings. */
    public static final Count NONE = new Count(0, 0);
  }
}
