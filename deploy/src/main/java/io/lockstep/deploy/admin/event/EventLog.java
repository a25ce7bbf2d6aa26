package io.lockstep.deploy.admin.event;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The newest events of a node, in a ring. Clients read on from a place of their own, so a slow one
 * costs nothing but its connection: what it did not read in time is overwritten, and it is told so.
 * Thread-safe.
 */
public final class EventLog {
  /** Events that are kept. */
  public static final int CAPACITY = 4_096;

  /** What an event is about. */
  public static final List<String> KINDS = List.of("device", "link", "host", "mastership", "flow");

  /** Characters of a text at most. */
  private static final int MAX_CHARS = 500;

  private final Event[] ring = new Event[CAPACITY];
  private final String node;
  private final long start;
  private final LongSupplier wallMillis;
  private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

  /** Number of the next event; guarded by this. */
  private long next = 1;

  /**
   * An event.
   *
   * @param id of this process and the event: what {@code Last-Event-ID} gives back
   * @param kind one of {@link #KINDS}
   * @param type as onos-api calls it, in lower case
   * @param subject what it is about: a switch, a link, an address or a rule
   * @param text for people
   * @param node that saw it
   * @param timeMillis when, in milliseconds since 1970
   */
  public record Event(
      String id,
      long number,
      String kind,
      String type,
      String subject,
      String text,
      String node,
      long timeMillis) {}

  /**
   * Some events.
   *
   * @param events those that were wanted
   * @param place where to read on
   * @param missed how many were overwritten before they were read
   */
  public record Batch(List<Event> events, long place, long missed) {
    public Batch {
      events = List.copyOf(events);
    }
  }

  /**
   * A log without events.
   *
   * @param start tells the ids of this process from those of earlier ones
   */
  public EventLog(String node, long start, LongSupplier wallMillis) {
    this.node = node;
    this.start = start;
    this.wallMillis = wallMillis;
  }

  /** Adds an event; on any thread. */
  public void add(String kind, String type, String subject, String text) {
    long time = wallMillis.getAsLong();
    synchronized (this) {
      long number = next++;
      ring[(int) (number % CAPACITY)] =
          new Event(
              Long.toHexString(start) + "-" + number,
              number,
              kind,
              type,
              shortened(subject),
              shortened(text),
              node,
              time);
    }
    listeners.forEach(Runnable::run);
  }

  private static String shortened(String text) {
    return text.length() <= MAX_CHARS ? text : text.substring(0, MAX_CHARS) + "...";
  }

  /** The place behind the newest event. */
  synchronized long newest() {
    return next;
  }

  /**
   * The place behind an event.
   *
   * @param id of an event, of this process or another
   * @return -1 where it is none of this process, so that it is not known what was missed
   */
  synchronized long behind(String id) {
    String prefix = Long.toHexString(start) + "-";
    if (!id.startsWith(prefix) || !id.substring(prefix.length()).matches("[0-9]{1,18}")) {
      return -1;
    }
    long number = Long.parseLong(id.substring(prefix.length()));
    return number < next ? number + 1 : -1;
  }

  /** Events from a place on. */
  synchronized Batch read(long place, Set<String> kinds, int most) {
    long oldest = Math.max(1, next - CAPACITY);
    long missed = Math.max(0, oldest - place);
    List<Event> events = new ArrayList<>();
    long at = Math.max(place, oldest);
    for (; at < next && events.size() < most; at++) {
      Event event = ring[(int) (at % CAPACITY)];
      if (kinds.contains(event.kind())) {
        events.add(event);
      }
    }
    return new Batch(events, at, missed);
  }

  /** Runs a listener after each event; it must not block. */
  void addListener(Runnable listener) {
    listeners.add(listener);
  }

  void removeListener(Runnable listener) {
    listeners.remove(listener);
  }
}
