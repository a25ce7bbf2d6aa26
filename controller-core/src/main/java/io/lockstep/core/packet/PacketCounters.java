package io.lockstep.core.packet;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What became of the packet-ins, counted since the start of the node. Thread-safe. */
public final class PacketCounters {

  /** What became of a packet. */
  public enum PacketResult {
    /** All packet-ins. */
    RECEIVED,
    /** From a switch that this node does not master (now). */
    NOT_MASTERED,
    /** Counted beside another result: it waited for the end of a hand-over of its switch. */
    KEPT,
    /** It waited for the end of a hand-over, for too long or with too many others. */
    KEPT_IN_VAIN,
    /** Shorter than its headers say. */
    MALFORMED,
    /** LLDP, handed to link discovery. */
    LLDP,
    /** To an address that bridges must not forward. */
    LINK_LOCAL,
    /** Its sender has an address that belongs to an application. */
    CLAIMED_SOURCE,
    /** Over the quota of its port. */
    OVER_PORT_QUOTA,
    /** Over the quota of its switch. */
    OVER_SWITCH_QUOTA,
    /** Consumed by the node itself, for example an answer to its own probe. */
    OBSERVED,
    /** Handled by a processor of onos-api's packet service. */
    PROCESSED,
    /** The node applied a rule that the switch does not have. */
    SERVED_IN_NODE,
    /** Over the rate of packets that the node serves by such rules. */
    OVER_NODE_RATE,
    /** A decision was carried out. */
    DECIDED,
    /**
     * Counted beside another result: an application keeps no further address at the packet's port.
     */
    PORT_FULL,
    /**
     * Counted beside another result: an application wanted something done at a switch that this
     * node does not master.
     */
    OTHER_SWITCH_NOT_MASTERED,
    /** No application wanted it. */
    UNCLAIMED,
    /** Too many decisions of the switch wait for the store. */
    TOO_MANY_ASKS,
    /** Mastership was lost while the store was asked. */
    STALE,
    /** The store rejected the question. */
    STORE_REJECTED,
    /** The store did not answer in time. */
    STORE_UNKNOWN,
    /** An application or processor threw, or broke its contract. */
    APPLICATION_FAILED,
    /** The frame was cut and the switch holds no buffer of it. */
    TRUNCATED,
    /** The channel's queue was full. */
    SEND_REFUSED;

    /** Whether this is what becomes of a packet-in: each has one such result in the end. */
    public boolean isEnd() {
      return switch (this) {
        case RECEIVED, KEPT, PORT_FULL, OTHER_SWITCH_NOT_MASTERED -> false;
        default -> true;
      };
    }
  }

  private final Map<PacketResult, LongAdder> counts = new EnumMap<>(PacketResult.class);

  public PacketCounters() {
    for (PacketResult result : PacketResult.values()) {
      counts.put(result, new LongAdder());
    }
  }

  void count(PacketResult result) {
    LongAdder counter = counts.get(result);
    if (counter != null) {
      counter.increment();
    }
  }

  void count(PacketResult result, int more) {
    LongAdder counter = counts.get(result);
    if (more > 0 && counter != null) {
      counter.add(more);
    }
  }

  /** How many had this result. */
  public long of(PacketResult result) {
    LongAdder counter = counts.get(result);
    return counter == null ? 0 : counter.sum();
  }
}
