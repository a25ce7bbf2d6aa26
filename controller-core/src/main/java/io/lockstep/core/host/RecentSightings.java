package io.lockstep.core.host;

import java.util.HashMap;
import java.util.Map;

/**
 * The sightings of one switch on their way to the control loop: each host once in a while, and a
 * bounded number at a time, so that no switch takes another's place. Thread-safe; time is an
 * argument, in nanoseconds.
 */
final class RecentSightings {
  /** Sightings that wait for the control loop. */
  static final int MAX_WAITING = 512;

  /** Hosts whose last sighting is remembered; more are not handed over meanwhile. */
  static final int MAX_REMEMBERED = 2_048;

  private final long repeatNanos;
  private final Map<HostKey, Long> handedOverNanos = new HashMap<>();
  private long purgedNanos;
  private int waiting;

  /**
   * Nothing was seen.
   *
   * @param repeatNanos how long a host is not handed over again
   */
  RecentSightings(long repeatNanos, long nowNanos) {
    this.repeatNanos = repeatNanos;
    this.purgedNanos = nowNanos;
  }

  /** What is to be done with a sighting. */
  enum Outcome {
    /** Hand it over, and call {@link #arrived} there. */
    HAND_OVER,
    /** The host was handed over just now. */
    REPEATED,
    /** Too much waits; the host sends again. */
    DROPPED
  }

  /**
   * Takes a sighting.
   *
   * @param urgent whether it counts although the host was handed over just now
   */
  synchronized Outcome add(HostKey host, boolean urgent, long nowNanos) {
    Long last = handedOverNanos.get(host);
    if (last != null && nowNanos - last < repeatNanos && !urgent) {
      return Outcome.REPEATED;
    }
    if (waiting >= MAX_WAITING || (last == null && !hasRoom(nowNanos))) {
      return Outcome.DROPPED;
    }
    handedOverNanos.put(host, nowNanos);
    waiting++;
    return Outcome.HAND_OVER;
  }

  /** Forgets old sightings, at most ten times in the while; true where there is room. */
  private boolean hasRoom(long nowNanos) {
    if (handedOverNanos.size() < MAX_REMEMBERED) {
      return true;
    }
    if (nowNanos - purgedNanos < repeatNanos / 10) {
      return false;
    }
    purgedNanos = nowNanos;
    handedOverNanos.values().removeIf(at -> nowNanos - at >= repeatNanos);
    return handedOverNanos.size() < MAX_REMEMBERED;
  }

  /** A sighting reached the control loop. */
  synchronized void arrived() {
    waiting--;
  }
}
