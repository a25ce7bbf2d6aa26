package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.HeaderField;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The traffic of entries that a switch does not have, counted from the packets that come to the
 * node instead. A packet counts half after {@link #HALF_LIFE_MILLIS}. What the switch or the node
 * drops on the way does not count, and of a young flow the half-life hides a part: so the figures
 * say "at least".
 *
 * <p>Holds {@link #MAX_ENTRIES} entries of a switch and {@link #MAX_AT_PORT} of an ingress port, of
 * at most {@link #MAX_ENTRY_BYTES} each. Where it is full, the lightest entry of the port goes, or
 * of the port with the most. So a host that sends with ever new addresses displaces the counts of
 * its own port. Control loop only.
 */
final class PacketInRates {
  static final int MAX_ENTRIES = 1_024;
  static final int MAX_AT_PORT = 128;

  /** 16 for each field of a match, and the objects around it. */
  static final int MAX_ENTRY_BYTES = 600;

  static final long HALF_LIFE_MILLIS = 5_000;

  private static final double SECONDS_FOR_A_PACKET = HALF_LIFE_MILLIS / 1000.0 / Math.log(2);

  private final PacketInBudget budget;
  private final Map<Long, Map<RuleKey, DecayingCount>> byPort = new HashMap<>();
  private int size;

  /** Packets as of a time. */
  private static final class DecayingCount {
    private double packets;
    private long atMillis;

    /** Grows with what is left of the packets, whenever one looks: its logarithm, and its time. */
    private double rank;

    private DecayingCount(long nowMillis) {
      atMillis = nowMillis;
    }

    double at(long nowMillis) {
      long passed = Math.max(0, nowMillis - atMillis);
      return packets * Math.pow(0.5, (double) passed / HALF_LIFE_MILLIS);
    }

    void add(long nowMillis) {
      packets = at(nowMillis) + 1;
      atMillis = Math.max(atMillis, nowMillis);
      rank = Math.log(packets) / Math.log(2) + (double) atMillis / HALF_LIFE_MILLIS;
    }
  }

  /**
   * An entry that the switch does not have.
   *
   * @param packetsPerSecond at least
   */
  record RatedEntry(RuleKey key, double packetsPerSecond) {}

  /**
   * Counts nothing yet.
   *
   * @param budget for the entries of all switches of the node
   */
  PacketInRates(PacketInBudget budget) {
    this.budget = budget;
  }

  /** The port that an entry is for; -1 where it matches any. */
  private static long portOf(RuleKey key) {
    return key.match().mask(HeaderField.IN_PORT) == 0 ? -1 : key.match().value(HeaderField.IN_PORT);
  }

  /** A packet came to the node that this entry would have served. */
  void count(RuleKey key, long nowMillis) {
    long port = portOf(key);
    Map<RuleKey, DecayingCount> here = byPort.get(port);
    DecayingCount known = here == null ? null : here.get(key);
    if (known == null) {
      known = new DecayingCount(nowMillis);
      if (!makesRoom(port)) {
        return;
      }
      byPort.computeIfAbsent(port, any -> new HashMap<>()).put(key, known);
      size++;
    }
    known.add(nowMillis);
  }

  /** Whether there is room for one more entry of a port; the lightest of a port goes for it. */
  private boolean makesRoom(long port) {
    int atPort = byPort.getOrDefault(port, Map.of()).size();
    if (atPort < MAX_AT_PORT && size < MAX_ENTRIES && budget.take()) {
      return true;
    }
    int most = atPort;
    if (atPort < MAX_AT_PORT) {
      most = byPort.values().stream().mapToInt(Map::size).max().orElse(0);
    }
    RuleKey lightest = null;
    double least = Double.MAX_VALUE;
    for (Map.Entry<Long, Map<RuleKey, DecayingCount>> counts : byPort.entrySet()) {
      boolean isAsked = atPort < MAX_AT_PORT || counts.getKey() == port;
      if (isAsked && counts.getValue().size() == most) {
        for (Map.Entry<RuleKey, DecayingCount> one : counts.getValue().entrySet()) {
          if (one.getValue().rank < least) {
            least = one.getValue().rank;
            lightest = one.getKey();
          }
        }
      }
    }
    if (lightest == null) {
      return false;
    }
    forget(lightest);
    return budget.take();
  }

  /** The switch has the entry, so that its packets do not come any more. */
  void forget(RuleKey key) {
    Map<RuleKey, DecayingCount> here = byPort.get(portOf(key));
    if (here != null && here.remove(key) != null) {
      size--;
      budget.give(1);
      if (here.isEmpty()) {
        byPort.remove(portOf(key));
      }
    }
  }

  /** Forgets all. */
  void clear() {
    budget.give(size);
    size = 0;
    byPort.clear();
  }

  /** The packets of an entry that are counted now; 0 where none came. */
  double packets(RuleKey key, long nowMillis) {
    Map<RuleKey, DecayingCount> here = byPort.get(portOf(key));
    DecayingCount known = here == null ? null : here.get(key);
    return known == null ? 0 : known.at(nowMillis);
  }

  /** How many packets a second that is, at least. */
  static double perSecond(double packets) {
    return packets / SECONDS_FOR_A_PACKET;
  }

  /** The entries of which packets came, the heaviest first. */
  List<RatedEntry> heaviest(long nowMillis) {
    return byPort.values().stream()
        .flatMap(here -> here.entrySet().stream())
        .map(one -> new RatedEntry(one.getKey(), perSecond(one.getValue().at(nowMillis))))
        .sorted(Comparator.comparingDouble(one -> -one.packetsPerSecond()))
        .toList();
  }
}
