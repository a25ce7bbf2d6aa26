package io.lockstep.dataplane.traffic;

import java.util.Comparator;
import java.util.PriorityQueue;

/** Events in order of time; those of the same time in the order in which they were added. */
public final class VirtualTime {
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(
          Comparator.<Event>comparingLong(event -> event.atNanos)
              .thenComparingLong(event -> event.serial));
  private long nowNanos;
  private long nextSerial;

  /** The time, from 0 on. */
  public long nowNanos() {
    return nowNanos;
  }

  /**
   * Does something later.
   *
   * @param atNanos not before now
   */
  public void at(long atNanos, Runnable action) {
    if (atNanos < nowNanos) {
      throw new IllegalArgumentException(atNanos + " is over: it is " + nowNanos);
    }
    events.add(new Event(atNanos, nextSerial++, action));
  }

  /** Does everything up to a time, and then it is that time. */
  public void runUntil(long endNanos) {
    for (Event next = events.peek();
        next != null && next.atNanos <= endNanos;
        next = events.peek()) {
      events.remove();
      nowNanos = next.atNanos;
      next.action.run();
    }
    nowNanos = endNanos;
  }

  private record Event(long atNanos, long serial, Runnable action) {}
}
