package io.lockstep.store.engine.bftsmart;

import java.util.function.IntPredicate;

/**
 * Tells a dead replica from a slow machine. Two kinds of evidence count:
 *
 * <ul>
 *   <li>A peer whose link ended and whose port refuses connections has no process any more, while
 *       its machine answers: it is dead, at once.
 *   <li>A peer that is merely silent (paused, cut off, its machine gone) is given up after the
 *       silence time-out. Silence is counted in this replica's own ticks, and a tick that came late
 *       counts no more than two on time: while this process did not run it has heard nobody, which
 *       says nothing about the others. A replica that was held up lately is more patient still,
 *       because others on the same machine are then held up too.
 * </ul>
 *
 * <p>Pure: owned by one thread, times are monotonic milliseconds handed in.
 */
final class FailureDetector {
  /** How many times the time-out it waits at most, however late its own ticks are. */
  private static final int MOST_PATIENT = 4;

  /** The memory of a delay fades by a millisecond in so many. */
  private static final int FADING = 4;

  private final int tickMillis;
  private final int silenceMillis;
  private final long[] silent;
  private final boolean[] dead;
  private long tickedAtMillis;
  private long delayMillis;

  /**
   * @param members replicas 0 to n-1
   * @param tickMillis how often {@link #tick} should be called, and peers should be heard
   * @param silenceMillis own running time without a word from a peer before it is given up
   */
  FailureDetector(int members, int tickMillis, int silenceMillis, long nowMillis) {
    this.tickMillis = tickMillis;
    this.silenceMillis = silenceMillis;
    this.silent = new long[members];
    this.dead = new boolean[members];
    this.tickedAtMillis = nowMillis;
  }

  /** A word from a peer. */
  void heard(int peer) {
    silent[peer] = 0;
    dead[peer] = false;
  }

  /** A link to a peer has been established. */
  void linkUp(int peer) {
    dead[peer] = false;
  }

  /** There is no link to a peer and its machine refuses a new one: nobody listens there. */
  void refused(int peer) {
    dead[peer] = true;
  }

  /** Time passes. */
  void tick(long nowMillis) {
    long gap = Math.max(0, nowMillis - tickedAtMillis);
    tickedAtMillis = nowMillis;
    delayMillis = Math.max(gap - tickMillis, delayMillis - gap / FADING);
    long counted = Math.min(gap, 2L * tickMillis);
    for (int peer = 0; peer < silent.length; peer++) {
      silent[peer] += counted;
    }
  }

  /** How long a silence this replica bears now. */
  long patienceMillis() {
    return Math.min((long) MOST_PATIENT * silenceMillis, silenceMillis + Math.max(0, delayMillis));
  }

  /** Whether there is evidence that the peer's process has ended. */
  boolean dead(int peer) {
    return dead[peer];
  }

  /** Whether the peer is dead, or has been silent for too long. */
  boolean gone(int peer) {
    return dead[peer] || silent[peer] > patienceMillis();
  }

  /**
   * The next regency whose leader is not given up, so that no turn is lost on a dead one; simply
   * the next where all are.
   *
   * @param regency the one to leave
   */
  static int next(int regency, int members, IntPredicate gone) {
    for (int next = regency + 1; next <= regency + members; next++) {
      if (!gone.test(LeaderChangeRules.leaderOf(next, members))) {
        return next;
      }
    }
    return regency + 1;
  }
}
