package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.TimeUnit;

/**
 * How long a client waits for the answer to a request before it sends it again: as TCP does (RFC
 * 6298), so that requests which merely wait for their turn at busy replicas are not sent twice.
 * Doubles with each attempt.
 *
 * <p>An answer says to which attempt it belongs only by chance here, since replicas answer the
 * first they find; so times count from the first attempt, and are too long rather than too short.
 *
 * <p>Pure: owned by one thread.
 */
final class RetryTimer {
  /** A request is sent again after eight times the least patience at the latest. */
  private static final int MOST = 8;

  private final long leastNanos;
  private long smoothedNanos;
  private long variationNanos;

  /**
   * @param leastMillis patience where nothing is known, or answers come fast
   */
  RetryTimer(long leastMillis) {
    leastNanos = TimeUnit.MILLISECONDS.toNanos(leastMillis);
  }

  /** A request was answered so long after it was sent for the first time. */
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
