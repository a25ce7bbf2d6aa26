package io.lockstep.core.packet;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Packet-ins that were dropped because there was too much, by switch, port and reason, since the
 * start of the node. Every drop is counted once. The number of counters is bounded: the first
 * {@link #MAX_PORTS} ports of a switch that lose packets have their own, and so have the first
 * {@link #MAX_SWITCHES} switches; what is beyond is summed. A counter that was shown never
 * decreases. Thread-safe.
 */
public final class DroppedPackets {
  /** Switches that are told apart. */
  public static final int MAX_SWITCHES = 256;

  /** Ports of one switch that are told apart. */
  public static final int MAX_PORTS = 8;

  private static final Reason[] REASONS = Reason.values();

  /** Why a packet was dropped. */
  public enum Reason {
    /** Over the quota of its port. */
    PORT_QUOTA,
    /** Over the quota of its switch. */
    SWITCH_QUOTA,
    /** A link probe over the quota that its port has for them. */
    PROBE_QUOTA,
    /** An application has no room for further addresses at the port. */
    PORT_FULL,
    /** The port's or the kind's share of the switch's decisions waits for the store already. */
    SWITCH_WAITS,
    /** The switch's share of what all switches keep waiting is taken. */
    NODE_WAITS,
    /** The store did not take the question, or did not answer it. */
    STORE,
    /** The switch does not read what it was sent. */
    UNREAD;

    /** As metrics have it. */
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One counter.
   *
   * @param dpid the switch in 16 hexadecimal digits, or {@code other}
   * @param port its number, or {@code other}
   */
  public record Count(String dpid, String port, Reason reason, long packets) {}

  private static final String OTHER = "other";

  private final Map<Long, OfSwitch> switches = new ConcurrentHashMap<>();
  private final OfSwitch others = new OfSwitch(0);

  /** What one port lost, or all that are not told apart. Thread-safe. */
  static final class OfPort {
    private final Map<Reason, LongAdder> counts = new EnumMap<>(Reason.class);

    private OfPort() {
      for (Reason reason : REASONS) {
        counts.put(reason, new LongAdder());
      }
    }

    /** Counts a packet. */
    void count(Reason reason) {
      LongAdder counter = counts.get(reason);
      if (counter != null) {
        counter.increment();
      }
    }

    private long of(Reason reason) {
      LongAdder counter = counts.get(reason);
      return counter == null ? 0 : counter.sum();
    }
  }

  /** What one switch lost; it is the same object when the switch comes back. Thread-safe. */
  static final class OfSwitch {
    private final int maxPorts;
    private final Map<Long, OfPort> ports = new ConcurrentHashMap<>();
    private final OfPort others = new OfPort();

    private OfSwitch(int maxPorts) {
      this.maxPorts = maxPorts;
    }

    /** The counters of a port, to be kept by the caller; of all others where it has none. */
    synchronized OfPort ofPort(long port) {
      OfPort known = ports.get(port);
      if (known == null && ports.size() < maxPorts) {
        known = new OfPort();
        ports.put(port, known);
      }
      return known == null ? others : known;
    }

    private void addTo(List<Count> counts, String dpid) {
      ports.keySet().stream()
          .sorted()
          .forEach(port -> add(counts, dpid, Long.toString(port), ofPort(port)));
      add(counts, dpid, OTHER, others);
    }

    private static void add(List<Count> counts, String dpid, String port, OfPort packets) {
      for (Reason reason : REASONS) {
        long dropped = packets.of(reason);
        if (dropped > 0) {
          counts.add(new Count(dpid, port, reason, dropped));
        }
      }
    }
  }

  /** The counters of a switch. */
  synchronized OfSwitch ofSwitch(long dpid) {
    OfSwitch known = switches.get(dpid);
    if (known == null && switches.size() < MAX_SWITCHES) {
      known = new OfSwitch(MAX_PORTS);
      switches.put(dpid, known);
    }
    return known == null ? others : known;
  }

  /** All that are not 0, by switch and port. */
  public List<Count> counts() {
    List<Count> counts = new ArrayList<>();
    switches.keySet().stream()
        .sorted(Long::compareUnsigned)
        .forEach(dpid -> ofSwitch(dpid).addTo(counts, String.format(Locale.ROOT, "%016x", dpid)));
    others.addTo(counts, OTHER);
    return counts;
  }
}
