package io.lockstep.dataplane.topology;

/**
 * A fat tree after Al-Fares, Loukissas and Vahdat, "A Scalable, Commodity Data Center Network
 * Architecture" (2008), section 3: {@code k} pods of {@code k/2} edge and {@code k/2} aggregation
 * switches, and {@code (k/2)^2} core switches. It has {@code 5k^2/4} switches and {@code k^3/2}
 * links. Only edge switches have hosts.
 *
 * <p>Such a tree exists for even {@code k} alone, so a number of switches is rounded down: this
 * takes the largest {@code k} whose tree fits. A domain has pods that are next to each other and a
 * share of the core switches. Each core switch has a link to each pod, so two of three links to the
 * core lead to another domain.
 */
final class FatTree {
  private FatTree() {}

  /** The largest even k whose tree has at most so many switches, at least 5. */
  static int k(int switches) {
    int k = 2;
    while (switches(k + 2) <= switches) {
      k += 2;
    }
    return k;
  }

  private static int switches(int k) {
    return 5 * k * k / 4;
  }

  /**
   * @param switches at most, at least 5
   */
  static Topology build(String text, int switches, int hostsPerEdge) {
    int k = k(switches);
    int half = k / 2;
    int cores = half * half;
    String name = text + " (k=" + k + ", " + switches(k) + " switches)";
    TopologyBuilder builder = new TopologyBuilder(name);
    for (int pod = 0; pod < k; pod++) {
      int domain = pod * GeneratedTopology.DOMAINS / k;
      for (int i = 0; i < k; i++) {
        int hosts = i < half ? 0 : hostsPerEdge;
        GeneratedTopology.addSwitch(builder, pod * k + i, domain, hosts);
      }
    }
    for (int core = 0; core < cores; core++) {
      // From the last domain on: the smallest tree has two pods, and its core is the third domain.
      int domain = GeneratedTopology.DOMAINS - 1 - core * GeneratedTopology.DOMAINS / cores;
      GeneratedTopology.addSwitch(builder, k * k + core, domain, 0);
    }
    for (int pod = 0; pod < k; pod++) {
      for (int i = 0; i < half; i++) {
        int aggregation = pod * k + i;
        for (int j = 0; j < half; j++) {
          GeneratedTopology.link(builder, pod * k + half + j, aggregation);
          GeneratedTopology.link(builder, aggregation, k * k + i * half + j);
        }
      }
    }
    return builder.build();
  }
}
