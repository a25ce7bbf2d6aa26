package io.lockstep.store.core;

/**
 * Consensus-ordered time: the sum of the steps of the leaders' times, each step clamped to 0 to
 * {@link #MAX_STEP_MILLIS}. So it never goes back, and a loss of quorum, however long, shortens a
 * lease by one step at most.
 *
 * <p>The leaders see to it that this clock does not run faster than real time, see {@link
 * io.lockstep.store.engine.LeaderClock}. Logs of older versions hold the leaders' wall clocks, each
 * of which could be ahead of the one before. Replaying them must lead to the same state as it did
 * then, so this class does not correct them.
 */
final class OrderedClock {
  /** The longest step from one batch to the next. */
  static final long MAX_STEP_MILLIS = 500;

  private boolean started;
  private long nowMillis;
  private long leaderMillis;

  /** Advances to the leader's time of the next batch. The first batch sets the clock. */
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

  /** The leader's time in the last batch. */
  long leaderMillis() {
    return leaderMillis;
  }
}
