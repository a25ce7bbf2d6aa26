package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.TimeUnit;

/**
 * Counts recent failures. A failure now and then over weeks is harmless; many at once are not.
 * Keeps one time for each failure that counts. Owned by one thread.
 */
final class FailureRate {
  /** This many failures within {@link #WINDOW_MILLIS} are too many. */
  static final int MOST = 50;

  static final long WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** Times of the last failures, in a ring; the oldest is at {@link #all} modulo the length. */
  private final long[] atMillis = new long[MOST];

  private long all;

  /**
   * Adds a failure.
   *
   * @param nowMillis of a monotonic clock
   * @return whether there were {@value #MOST} failures within the window
   */
  boolean failed(long nowMillis) {
    int place = (int) (all % MOST);
    atMillis[place] = nowMillis;
    all++;
    long oldestMillis = atMillis[(int) (all % MOST)];
    return all >= MOST && nowMillis - oldestMillis < WINDOW_MILLIS;
  }

  /** All failures so far. */
  long all() {
    return all;
  }
}
