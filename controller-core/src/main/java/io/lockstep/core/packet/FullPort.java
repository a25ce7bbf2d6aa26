package io.lockstep.core.packet;

import java.util.LinkedHashMap;
import java.util.Map;
import org.onlab.packet.MacAddress;

/**
 * Bounds what comes from a port at which an application has no room for further addresses: mostly
 * it is something that invents them, and each packet would cost the whole cluster a question.
 * Addresses that the application has room for are not bounded once one of their packets came
 * through. Owned by the switch's event loop; time is an argument, in nanoseconds.
 */
final class FullPort {
  /** Packets a second from addresses that are not known to have room. */
  static final long PER_SECOND = 200;

  /** How long after the last report the port counts as full. */
  static final long HOLD_NANOS = 1_000_000_000L;

  /** Addresses that are known to have room. */
  static final int MAX_KNOWN = 1_024;

  private final TokenBucket unknown;
  private final Map<MacAddress, Boolean> known =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<MacAddress, Boolean> eldest) {
          return size() > MAX_KNOWN;
        }
      };
  private long untilNanos;

  FullPort(long nowNanos) {
    this.unknown = new TokenBucket(PER_SECOND, PER_SECOND, nowNanos);
    this.untilNanos = nowNanos + HOLD_NANOS;
  }

  /** The application reported it for a packet of this address. */
  void reported(MacAddress source, long nowNanos) {
    known.remove(source);
    untilNanos = nowNanos + HOLD_NANOS;
  }

  /** The application decided on a packet of this address without such a report. */
  void hasRoomFor(MacAddress source) {
    known.put(source, true);
  }

  /** Whether a packet of this address may come in. */
  boolean admits(MacAddress source, long nowNanos) {
    return known.get(source) != null || unknown.take(nowNanos);
  }

  /** Whether it counts as a port like any other again. */
  boolean isOver(long nowNanos) {
    return nowNanos - untilNanos >= 0;
  }
}
