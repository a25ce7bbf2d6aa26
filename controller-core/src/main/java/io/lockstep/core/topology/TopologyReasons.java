package io.lockstep.core.topology;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.event.Event;

/**
 * The events since the last topology event that named its reasons. At most {@link #MAX_EVENTS} are
 * kept: beyond them the reasons are unknown, since a part of them would hide the others.
 * Thread-safe.
 */
@SuppressWarnings("rawtypes") // onos-api has the reasons of a topology event so.
final class TopologyReasons {
  /** Events that are kept. */
  static final int MAX_EVENTS = 1_024;

  private final List<Event> events = new ArrayList<>();
  private boolean unknown;

  /**
   * What happened.
   *
   * @param events in their order; empty where they are unknown
   * @param known whether these are all
   */
  record Taken(List<Event> events, boolean known) {
    Taken {
      events = List.copyOf(events);
    }

    /** Both; unknown where one of them is. */
    Taken and(Taken other) {
      List<Event> both = new ArrayList<>();
      if (known && other.known) {
        both.addAll(events);
        both.addAll(other.events);
      }
      return new Taken(both, known && other.known);
    }
  }

  /** One more event. */
  synchronized void add(Event event) {
    if (events.size() >= MAX_EVENTS) {
      lose();
    }
    if (!unknown) {
      events.add(event);
    }
  }

  /** Events were lost. */
  synchronized void lose() {
    events.clear();
    unknown = true;
  }

  /** Whether nothing happened. */
  synchronized boolean isEmpty() {
    return events.isEmpty() && !unknown;
  }

  /** Takes the events and begins anew. */
  synchronized Taken take() {
    Taken taken = new Taken(events, !unknown);
    events.clear();
    unknown = false;
    return taken;
  }
}
