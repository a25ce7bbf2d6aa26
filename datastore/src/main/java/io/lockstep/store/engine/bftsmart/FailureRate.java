package io.lockstep.store.engine.bftsmart;

import java.util.concurrent.TimeUnit;

/**
 * How many failures there were lately. A failure now and then, over weeks, is nothing to stop for;
 * many at once are. Keeps one time for each failure that counts. Owned by one thread.
 */
final class FailureRate {
  /** This many failures within {@link #WINDOW_MILLIS} are too many. */
  static final int MOST = 50;

  static final long WINDOW_MILLIS = TimeUnit.MINUTES.toMillis(1);

  /** Times of the last failures, a ring; the oldest is at {@link #all} modulo the length. */
  private final long[] atMillis = new long[MOST];

  private long all;

  /**
   * One more.
   *
   * @param nowMillis of a clock that does not go back
   * @return whether there were too many within the window
   */
  boolean failed(long nowMillis) {
    int place = (int) (all % MOST);
    atMillis[place] = nowMillis;
    all++;
    long oldestMillis = atMillis[(int) (all % MOST)];
    return all >= MOST && nowMillis - oldestMillis < WINDOW_MILLIS;
  }

  /** Failures so far, however long ago. */
  long all() {
    return all;
  }
}
