package io.lockstep.dataplane.topology;

/**
 * Rings of switches that are joined to a ring: about as many rings as a ring has switches.
 * Neighbouring rings of one domain have a link between each two switches at the same place. So
 * there are nearly twice as many links as switches. Neighbouring rings of different domains have
 * two links, so that any one link can fail.
 */
final class RingOfRings {
  private RingOfRings() {}

  /**
   * @param switches at least 9
   */
  static Topology build(String text, int switches, int hostsPerSwitch) {
    int rings = (int) Math.round(Math.sqrt(switches));
    TopologyBuilder builder = new TopologyBuilder(text);
    for (int ring = 0; ring < rings; ring++) {
      for (int i = first(ring, rings, switches); i < first(ring + 1, rings, switches); i++) {
        GeneratedTopology.addSwitch(builder, i, domain(ring, rings), hostsPerSwitch);
      }
    }
    for (int ring = 0; ring < rings; ring++) {
      int first = first(ring, rings, switches);
      int size = first(ring + 1, rings, switches) - first;
      for (int i = 0; i < size; i++) {
        GeneratedTopology.link(builder, first + i, first + (i + 1) % size);
      }
      int next = (ring + 1) % rings;
      int nextFirst = first(next, rings, switches);
      int common = Math.min(size, first(next + 1, rings, switches) - nextFirst);
      boolean sameDomain = domain(ring, rings) == domain(next, rings);
      for (int i = 0; i < common; i += sameDomain ? 1 : (common + 1) / 2) {
        GeneratedTopology.link(builder, first + i, nextFirst + i);
      }
    }
    return builder.build();
  }

  private static int first(int ring, int rings, int switches) {
    return ring * switches / rings;
  }

  private static int domain(int ring, int rings) {
    return ring * GeneratedTopology.DOMAINS / rings;
  }
}
