package io.lockstep.core.packet;

/** Lets a rate through, and a burst after silence. Time is an argument. Not thread-safe. */
final class TokenBucket {
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final long perSecond;
  private final long capacityNanos;
  private final long costNanos;

  /** Invariant: 0 <= levelNanos <= capacityNanos; a token costs costNanos. */
  private long levelNanos;

  private long updatedNanos;

  /**
   * A full bucket.
   *
   * @param perSecond tokens per second, at most 1 000 000 000; 0 for no limit
   * @param burst tokens a full bucket holds, at least 1
   */
  TokenBucket(long perSecond, long burst, long nowNanos) {
    this.perSecond = perSecond;
    this.costNanos = perSecond == 0 ? 0 : Math.max(1, NANOS_PER_SECOND / perSecond);
    this.capacityNanos = Math.max(1, burst) * costNanos;
    this.levelNanos = capacityNanos;
    this.updatedNanos = nowNanos;
  }

  /** Takes a token; false where there is none. */
  boolean take(long nowNanos) {
    if (isEmpty(nowNanos)) {
      return false;
    }
    levelNanos -= costNanos;
    return true;
  }

  /** Whether there is no token. */
  boolean isEmpty(long nowNanos) {
    if (perSecond == 0) {
      return false;
    }
    long passed = nowNanos - updatedNanos;
    if (passed > 0) {
      levelNanos = Math.min(capacityNanos, levelNanos + Math.min(passed, capacityNanos));
      updatedNanos = nowNanos;
    }
    return levelNanos < costNanos;
  }
}
