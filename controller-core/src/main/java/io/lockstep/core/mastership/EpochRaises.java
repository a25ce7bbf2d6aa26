package io.lockstep.core.mastership;

import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Bounds how often one switch raises an epoch by saying that it knows a newer generation: {@link
 * #MAX_RAISES} times in {@link #PERIOD_MILLIS}, however often it connects meanwhile. Each raise
 * concerns all switches of its domain, since every one of them is asked for its role again.
 *
 * <p>Owned by the control loop. Holds a few numbers for each switch that ever raised an epoch; only
 * switches of configured domains do.
 */
final class EpochRaises {
  static final int MAX_RAISES = 4;
  static final long PERIOD_MILLIS = 30_000;

  private final LongSupplier nanoTime;
  private final Map<Long, ArrayDeque<Long>> raisedNanos = new HashMap<>();

  /**
   * Without any yet.
   *
   * @param nanoTime a monotone clock
   */
  EpochRaises(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** Counts a raise; false where the switch has to wait. */
  boolean admit(long dpid) {
    long now = nanoTime.getAsLong();
    ArrayDeque<Long> raised = raisedNanos.computeIfAbsent(dpid, key -> new ArrayDeque<>());
    if (raised.size() == MAX_RAISES) {
      if (now - raised.element() < TimeUnit.MILLISECONDS.toNanos(PERIOD_MILLIS)) {
        return false;
      }
      raised.remove();
    }
    raised.add(now);
    return true;
  }
}
