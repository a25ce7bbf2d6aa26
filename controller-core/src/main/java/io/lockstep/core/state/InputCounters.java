package io.lockstep.core.state;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Reports of switches that did not become a task of their own, counted since the start of the node.
 * Nothing is lost by them: each is repeated by the switch or found by the next comparison.
 * Thread-safe.
 */
public final class InputCounters {

  /** Why a report did not become a task. */
  public enum Input {
    /** A port status while another of the same switch waited: one look serves both. */
    PORT_STATUS_MERGED,
    /** A flow-removed while others of the same switch waited. */
    FLOW_REMOVED_MERGED,
    /** A flow-removed that found no room: the switch is read back instead. */
    FLOW_REMOVED_DROPPED,
    /** A link seen while too many others of the same switch waited; its probe comes again. */
    LINK_DROPPED,
    /** A write to the store while too many for the same switch were on their way. */
    WRITE_REFUSED
  }

  private final Map<Input, LongAdder> counts = new EnumMap<>(Input.class);

  /** All counts are 0. */
  public InputCounters() {
    for (Input input : Input.values()) {
      counts.put(input, new LongAdder());
    }
  }

  /** Counts one. */
  public void count(Input input) {
    LongAdder counter = counts.get(input);
    if (counter != null) {
      counter.increment();
    }
  }

  /** How many there were of a kind. */
  public long of(Input input) {
    LongAdder counter = counts.get(input);
    return counter == null ? 0 : counter.sum();
  }
}
