package io.lockstep.dataplane.topology;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/**
 * A random network for each domain: a random tree, and random links until the whole network has
 * twice as many links as switches, or as many as small domains have room for. Between each two
 * domains there are two links, or one for each hundred switches of the network. A switch has at
 * most {@link #MAX_DEGREE} links within its domain. Used by one thread for one network.
 */
final class RandomNetwork {
  static final int MAX_DEGREE = 16;

  private static final int LINKS_PER_SWITCH = 2;
  private static final int LEAST_BETWEEN = 2;
  private static final int SWITCHES_PER_LINK_BETWEEN = 100;

  /** Random pairs tried for each switch before the network counts as full. */
  private static final int TRIES_PER_SWITCH = 200;

  private final TopologyBuilder builder;
  private final int switches;
  private final Random random;
  private final Set<Long> linked = new HashSet<>();
  private final int[] degrees;

  private RandomNetwork(TopologyBuilder builder, int switches, long seed) {
    this.builder = builder;
    this.switches = switches;
    this.random = new Random(seed);
    this.degrees = new int[switches];
  }

  /**
   * @param switches at least 6, so that each domain has two
   */
  static Topology build(String text, int switches, int hostsPerSwitch, long seed) {
    TopologyBuilder builder = new TopologyBuilder(text);
    RandomNetwork network = new RandomNetwork(builder, switches, seed);
    for (int domain = 0; domain < GeneratedTopology.DOMAINS; domain++) {
      for (int i = network.first(domain); i < network.first(domain + 1); i++) {
        GeneratedTopology.addSwitch(builder, i, domain, hostsPerSwitch);
      }
    }
    for (int domain = 0; domain < GeneratedTopology.DOMAINS; domain++) {
      network.addTree(domain);
    }
    network.addBetween();
    network.addRest();
    return builder.build();
  }

  private int first(int domain) {
    return domain * switches / GeneratedTopology.DOMAINS;
  }

  private int domain(int number) {
    int domain = 0;
    while (number >= first(domain + 1)) {
      domain++;
    }
    return domain;
  }

  private int anyOf(int domain) {
    return first(domain) + random.nextInt(first(domain + 1) - first(domain));
  }

  private void addTree(int domain) {
    int first = first(domain);
    for (int i = first + 1; i < first(domain + 1); i++) {
      int parent = first + random.nextInt(i - first);
      while (!add(i, parent)) {
        parent = first + random.nextInt(i - first);
      }
    }
  }

  /** Not counted among the degrees: these are few. */
  private void addBetween() {
    int count = Math.max(LEAST_BETWEEN, switches / SWITCHES_PER_LINK_BETWEEN);
    for (int a = 0; a < GeneratedTopology.DOMAINS; a++) {
      for (int b = a + 1; b < GeneratedTopology.DOMAINS; b++) {
        for (int added = 0; added < count; ) {
          int from = anyOf(a);
          int to = anyOf(b);
          if (linked.add(pair(from, to))) {
            GeneratedTopology.link(builder, from, to);
            added++;
          }
        }
      }
    }
  }

  private void addRest() {
    int tries = TRIES_PER_SWITCH * switches;
    for (int i = 0; i < tries && linked.size() < LINKS_PER_SWITCH * switches; i++) {
      int from = random.nextInt(switches);
      add(from, anyOf(domain(from)));
    }
  }

  private boolean add(int from, int to) {
    boolean hasRoom = degrees[from] < MAX_DEGREE && degrees[to] < MAX_DEGREE;
    if (from == to || !hasRoom || !linked.add(pair(from, to))) {
      return false;
    }
    degrees[from]++;
    degrees[to]++;
    GeneratedTopology.link(builder, from, to);
    return true;
  }

  private static long pair(int a, int b) {
    return (long) Math.min(a, b) << 32 | Math.max(a, b);
  }
}
