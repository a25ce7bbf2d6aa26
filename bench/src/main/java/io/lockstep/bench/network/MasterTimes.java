package io.lockstep.bench.network;

import java.util.concurrent.TimeUnit;

/** When the switches of a node had their new masters. Used by one thread. */
final class MasterTimes {
  private static final long NEVER = Long.MIN_VALUE;

  private long beganNanos;
  private long firstNanos = NEVER;
  private long allNanos = NEVER;

  /** From here on counts. */
  void begin(long nowNanos) {
    beganNanos = nowNanos;
  }

  /**
   * A look at the switches.
   *
   * @param missing switches that have no new master now
   * @param all switches that need one
   */
  void seen(int missing, int all, long nowNanos) {
    if (firstNanos == NEVER && missing < all) {
      firstNanos = nowNanos;
    }
    if (missing > 0) {
      allNanos = NEVER;
    } else if (allNanos == NEVER) {
      allNanos = nowNanos;
    }
  }

  /** The times, after a look at which no switch was without a new master. */
  NetworkPoint.Masters masters() {
    return new NetworkPoint.Masters(millis(firstNanos), millis(allNanos));
  }

  private double millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - beganNanos);
  }
}
