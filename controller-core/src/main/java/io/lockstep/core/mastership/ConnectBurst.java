package io.lockstep.core.mastership;

import io.lockstep.core.cluster.PublishConnections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Whether switches are still connecting to this node, so that one which is not there yet is late,
 * not out of reach. They are until none came for {@link #QUIET_MILLIS}; and for {@link
 * #START_MILLIS} after the node began to take part, since they come when they have noticed it. A
 * switch that comes and goes counts once in {@link #REPEAT_MILLIS}. Owned by the control loop.
 */
final class ConnectBurst {
  static final long QUIET_MILLIS = 1_000;
  static final long START_MILLIS = 3_000;
  static final long REPEAT_MILLIS = 30_000;

  private final LongSupplier nanoClock;

  /** When each switch counted last, the oldest first. */
  private final Map<Long, Long> countedNanos =
      new LinkedHashMap<>() {
        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
          return size() > PublishConnections.MAX_SWITCHES;
        }
      };

  private long restNanos;

  /** At rest. */
  ConnectBurst(LongSupplier nanoClock) {
    this.nanoClock = nanoClock;
    this.restNanos = nanoClock.getAsLong();
  }

  /** The node takes part from now on. */
  void started() {
    notBefore(nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS));
  }

  /** A switch connected to this node. */
  void connected(long dpid) {
    long now = nanoClock.getAsLong();
    Long counted = countedNanos.get(dpid);
    if (counted != null && now - counted < TimeUnit.MILLISECONDS.toNanos(REPEAT_MILLIS)) {
      return;
    }
    countedNanos.remove(dpid);
    countedNanos.put(dpid, now);
    notBefore(now + TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS));
  }

  private void notBefore(long nanos) {
    if (nanos - restNanos > 0) {
      restNanos = nanos;
    }
  }

  /** Whether no switch is expected to connect now. */
  boolean atRest() {
    return nanoClock.getAsLong() - restNanos >= 0;
  }
}
