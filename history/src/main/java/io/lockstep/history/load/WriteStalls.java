package io.lockstep.history.load;

/**
 * For how long no write of any client was acknowledged. The load comes in waves, so a tenth of a
 * second of it is nothing. Thread-safe.
 */
public final class WriteStalls {
  private long lastNanos;
  private long longest;

  /** A write was acknowledged at this moment of the run. */
  synchronized void acknowledged(long nanos) {
    longest = Math.max(longest, nanos - lastNanos);
    lastNanos = Math.max(lastNanos, nanos);
  }

  /** Forgets the stalls that have ended. */
  public synchronized void begin() {
    longest = 0;
  }

  /** The longest since {@link #begin}, the one that lasts still included, in nanoseconds. */
  public synchronized long longestNanos(long now) {
    return Math.max(longest, now - lastNanos);
  }
}
