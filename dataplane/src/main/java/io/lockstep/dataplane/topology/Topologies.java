package io.lockstep.dataplane.topology;

import java.util.List;

/** Generators of common shapes. Hosts take the low ports, links the ones above. */
public final class Topologies {
  /** The domain of shapes that have only one. */
  public static final String ONE_DOMAIN = "domain1";

  private Topologies() {}

  /** A chain s1 - s2 - ... of {@code switches}, each with {@code hostsPerSwitch} hosts. */
  public static Topology linear(int switches, int hostsPerSwitch) {
    TopologyBuilder builder = new TopologyBuilder("linear-" + switches);
    addSwitches(builder, 1, switches, hostsPerSwitch, ONE_DOMAIN);
    for (int i = 1; i < switches; i++) {
      builder.link("s" + i, "s" + (i + 1));
    }
    return builder.build();
  }

  /** A ring of at least 3 switches, each with {@code hostsPerSwitch} hosts. */
  public static Topology ring(int switches, int hostsPerSwitch) {
    requireRing(switches);
    TopologyBuilder builder = new TopologyBuilder("ring-" + switches);
    addSwitches(builder, 1, switches, hostsPerSwitch, ONE_DOMAIN);
    close(builder, 1, switches);
    return builder.build();
  }

  /**
   * A tree with s1 as its root; only the leaves have hosts.
   *
   * @param depth levels of switches, 1 for the root alone
   * @param fanOut children of each inner switch
   */
  public static Topology tree(int depth, int fanOut, int hostsPerLeaf) {
    if (depth < 1 || fanOut < 1) {
      throw new IllegalArgumentException("depth and fan-out of at least 1 expected");
    }
    TopologyBuilder builder = new TopologyBuilder("tree-" + depth + "-" + fanOut);
    int next = 1;
    int levelSize = 1;
    for (int level = 1; level <= depth; level++) {
      boolean leaves = level == depth;
      addSwitches(builder, next, levelSize, leaves ? hostsPerLeaf : 0, ONE_DOMAIN);
      int parentsFrom = next - levelSize / fanOut;
      for (int i = 0; level > 1 && i < levelSize; i++) {
        builder.link("s" + (parentsFrom + i / fanOut), "s" + (next + i));
      }
      next += levelSize;
      levelSize *= fanOut;
    }
    return builder.build();
  }

  /**
   * Two rings, domains {@code west} (s1...) and {@code east}, joined by two links between different
   * switches, so that any one link can fail.
   *
   * @param switchesPerRing at least 3
   */
  public static Topology twoDomains(int switchesPerRing, int hostsPerSwitch) {
    requireRing(switchesPerRing);
    TopologyBuilder builder = new TopologyBuilder("two-domains-" + switchesPerRing);
    int east = switchesPerRing + 1;
    addSwitches(builder, 1, switchesPerRing, hostsPerSwitch, "west");
    addSwitches(builder, east, switchesPerRing, hostsPerSwitch, "east");
    close(builder, 1, switchesPerRing);
    close(builder, east, switchesPerRing);
    int across = switchesPerRing / 2;
    builder.link("s1", "s" + east);
    builder.link("s" + (1 + across), "s" + (east + across));
    return builder.build();
  }

  /**
   * Three rings, domains {@code west} (s1...), {@code east} and {@code south}, of which each two
   * are joined by one link, so that any one link can fail.
   *
   * @param switchesPerRing at least 3
   */
  public static Topology threeDomains(int switchesPerRing, int hostsPerSwitch) {
    requireRing(switchesPerRing);
    TopologyBuilder builder = new TopologyBuilder("three-domains-" + switchesPerRing);
    List<String> domains = List.of("west", "east", "south");
    for (int i = 0; i < domains.size(); i++) {
      int first = 1 + i * switchesPerRing;
      addSwitches(builder, first, switchesPerRing, hostsPerSwitch, domains.get(i));
      close(builder, first, switchesPerRing);
    }
    for (int i = 0; i < domains.size(); i++) {
      int next = 1 + (i + 1) % domains.size() * switchesPerRing;
      builder.link("s" + (2 + i * switchesPerRing), "s" + next);
    }
    return builder.build();
  }

  private static void requireRing(int switches) {
    if (switches < 3) {
      throw new IllegalArgumentException("a ring has at least 3 switches, not " + switches);
    }
  }

  private static void addSwitches(
      TopologyBuilder builder, int first, int count, int hostsPerSwitch, String domain) {
    for (int i = first; i < first + count; i++) {
      builder.addSwitch("s" + i, i, domain);
      for (int h = 0; h < hostsPerSwitch; h++) {
        builder.host("s" + i);
      }
    }
  }

  private static void close(TopologyBuilder builder, int first, int count) {
    for (int i = 0; i < count; i++) {
      builder.link("s" + (first + i), "s" + (first + (i + 1) % count));
    }
  }
}
