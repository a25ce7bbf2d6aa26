package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.TimeUnit;

/**
 * How long a client waits for a reply before it sends a request again. It adapts as TCP does (RFC
 * 6298), so that requests which wait their turn at busy replicas are not sent twice. Doubles with
 * each attempt.
 *
 * <p>A reply does not show which attempt it answers, since replicas answer the first that they get.
 * So times count from the first attempt, and are too long rather than too short.
 *
 * <p>Pure: owned by one thread.
 */
final class RetryTimer {
  /** The longest wait, as a multiple of the shortest. */
  private static final int MOST = 8;

  private final long leastNanos;
  private long smoothedNanos;
  private long variationNanos;

  /**
   * @param leastMillis the wait before the first reply, and while replies are fast
   */
  RetryTimer(long leastMillis) {
    leastNanos = TimeUnit.MILLISECONDS.toNanos(leastMillis);
  }

  /** Records a reply, this long after the first attempt. */
  void answered(long nanos) {
    if (smoothedNanos == 0) {
      smoothedNanos = Math.max(1, nanos);
      variationNanos = nanos / 2;
    } else {
      variationNanos += (Math.abs(smoothedNanos - nanos) - variationNanos) / 4;
      smoothedNanos += (nanos - smoothedNanos) / 8;
    }
  }

  /** How long to wait after the attempt with this number, from 1, in nanoseconds. */
  long patienceNanos(int attempt) {
    long needed = Math.max(leastNanos, smoothedNanos + 4 * variationNanos);
    return Math.min(MOST * leastNanos, needed << Math.min(3, attempt - 1));
  }
}
