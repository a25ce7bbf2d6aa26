package io.lockstep.store.core;

/**
 * Consensus-ordered time: the sum of the steps of the leaders' times, each step clamped to 0 to
 * {@link #MAX_STEP_MILLIS}. So it never goes back, and a loss of quorum of any length ages a lease
 * by one step.
 *
 * <p>That it does not run faster than real time is the leaders' doing, see {@link
 * io.lockstep.store.engine.LeaderClock}: logs of older versions hold the leaders' wall clocks, each
 * of which could be ahead of the one before, and have to lead to the same state as they did.
 */
final class OrderedClock {
  /** The most that time passes from one batch to the next. */
  static final long MAX_STEP_MILLIS = 500;

  private boolean started;
  private long nowMillis;
  private long leaderMillis;

  /** Takes in the leader's time of the next batch. The first sets the clock. */
  void advance(long timeMillis) {
    if (!started) {
      started = true;
      nowMillis = Math.max(0, timeMillis);
    } else if (timeMillis > leaderMillis) {
      long step = timeMillis - leaderMillis;
      nowMillis += step < 0 || step > MAX_STEP_MILLIS ? MAX_STEP_MILLIS : step;
    }
    leaderMillis = timeMillis;
  }

  void restore(boolean wasStarted, long now, long leader) {
    started = wasStarted;
    nowMillis = now;
    leaderMillis = leader;
  }

  boolean started() {
    return started;
  }

  long nowMillis() {
    return nowMillis;
  }

  /** What the last batch said. */
  long leaderMillis() {
    return leaderMillis;
  }
}
