package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Timing;

/**
 * Distinguishes a dead replica from a slow machine. There are two kinds of evidence:
 *
 * <ul>
 *   <li>A peer whose link ended and whose port refuses connections: its machine answers but runs no
 *       process. It is dead at once.
 *   <li>A peer that is merely silent: paused, cut off, or its machine failed. It is suspected after
 *       the silence time-out. Silence is counted in this replica's own ticks, and a late tick
 *       counts as at most two. While this process did not run it received nothing, which is no
 *       evidence against others. After a delay of its own a replica waits longer, because a busy
 *       machine delays other replicas on it too.
 * </ul>
 *
 * <p>Pure: one thread owns it, and callers pass monotonic milliseconds.
 */
final class FailureDetector {
  /** The longest patience, as a multiple of the time-out, however late its own ticks are. */
  private static final int MOST_PATIENT = 4;

  /** The remembered delay shrinks by one millisecond in this many. */
  private static final int FADING = 4;

  private final int silenceMillis;
  private final long[] silent;
  private final boolean[] dead;
  private long tickedAtMillis;
  private long delayMillis;

  /** After how long the next tick is due. */
  private int tickMillis;

  /**
   * @param members replicas 0 to n-1
   * @param tickMillis how often the owner calls {@link #tick}, unless it says otherwise
   * @param silenceMillis own running time without a message from a peer before it is suspected
   */
  FailureDetector(int members, int tickMillis, int silenceMillis, long nowMillis) {
    this.tickMillis = tickMillis;
    this.silenceMillis = silenceMillis;
    this.silent = new long[members];
    this.dead = new boolean[members];
    this.tickedAtMillis = nowMillis;
  }

  /** With the beats and the leader time-out of a replica. */
  static FailureDetector of(int members, Timing timing, long nowMillis) {
    return new FailureDetector(
        members, timing.beatMillis(), timing.leaderTimeoutMillis(), nowMillis);
  }

  /** A message from a peer has arrived. */
  void heard(int peer) {
    silent[peer] = 0;
    dead[peer] = false;
  }

  /** A link to a peer has been established. */
  void linkUp(int peer) {
    dead[peer] = false;
  }

  /** There is no link to a peer, and its machine refuses a new one: no process listens there. */
  void refused(int peer) {
    dead[peer] = true;
  }

  /** The owner calls {@link #tick} after this time, until it says otherwise. */
  void ticksAfter(int millis) {
    tickMillis = millis;
  }

  /** Whether a peer other than {@code self} has been silent for longer than this. */
  boolean misses(int self, long millis) {
    for (int peer = 0; peer < silent.length; peer++) {
      if (peer != self && silent[peer] > millis) {
        return true;
      }
    }
    return false;
  }

  /** Adds the time since the last tick to each peer's silence. */
  void tick(long nowMillis) {
    long gap = Math.max(0, nowMillis - tickedAtMillis);
    tickedAtMillis = nowMillis;
    delayMillis = Math.max(gap - tickMillis, delayMillis - gap / FADING);
    long counted = Math.min(gap, 2L * tickMillis);
    for (int peer = 0; peer < silent.length; peer++) {
      silent[peer] += counted;
    }
  }

  /** How long a silence this replica tolerates now. */
  long patienceMillis() {
    return Math.min((long) MOST_PATIENT * silenceMillis, silenceMillis + Math.max(0, delayMillis));
  }

  /** Whether there is evidence that the peer's process has ended. */
  boolean dead(int peer) {
    return dead[peer];
  }

  /** Whether the peer is dead or has been silent for too long. */
  boolean suspects(int peer) {
    return dead[peer] || silent[peer] > patienceMillis();
  }
}
