package io.lockstep.core.host;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/** What host tracking met, counted since the start of the node. Thread-safe. */
public final class HostCounters {

  /** Something worth counting. */
  public enum Event {
    /** A packet came in whose source is known at another place in use. */
    DISPUTED,
    /** A host was seen while too many others of its switch waited; it sends again. */
    DROPPED,
    /** A new address was not tracked: its port has as many hosts as it may. */
    OVER_PORT_LIMIT,
    /** The store had no room for a host or an IP address at its port or its switch. */
    NO_ROOM,
    /** A host of an earlier release was taken over. */
    ADOPTED,
    /** A host was removed after it had been silent for long and did not answer. */
    AGED_OUT,
    /** A host says that it has an IP address that another MAC address has as well. */
    IP_CONFLICT
  }

  private final Map<Event, LongAdder> counts = new EnumMap<>(Event.class);

  public HostCounters() {
    for (Event event : Event.values()) {
      counts.put(event, new LongAdder());
    }
  }

  void count(Event event) {
    count(event, 1);
  }

  void count(Event event, int times) {
    LongAdder counter = counts.get(event);
    if (counter != null) {
      counter.add(times);
    }
  }

  /** How often this happened. */
  public long of(Event event) {
    LongAdder counter = counts.get(event);
    return counter == null ? 0 : counter.sum();
  }
}
