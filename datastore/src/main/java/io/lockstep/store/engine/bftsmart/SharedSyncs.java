package io.lockstep.store.engine.bftsmart;

/**
 * Decides when a leader lets its log finish a sync before it proposes the next batch. What arrives
 * meanwhile shares one instance, and one sync on each replica. A decision that falls during a sync
 * waits for the end of that sync anyway, so its replies do not come later.
 *
 * <p>The leader waits only while replies wait for its log: replies that need no disk do not. It
 * does not wait for a slow disk, since other replicas may be faster, nor once enough requests fill
 * a batch.
 *
 * <p>Pure: callers pass milliseconds of a monotonic clock. Owned by the replica's loop.
 */
final class SharedSyncs {
  /** Requests that fill a batch. */
  static final int ENOUGH_REQUESTS = 8;

  /** A sync that takes longer is slow. */
  static final long MOST_MILLIS = 2;

  /** The last instance in the log when the wait began; least while the leader does not wait. */
  private long instance = Long.MIN_VALUE;

  private long sinceMillis;

  /** Whether a sync was slow, and the log has not caught up since. */
  private boolean slow;

  /**
   * Whether the next batch waits.
   *
   * @param last the last instance in the leader's log
   * @param durable its last durable instance
   * @param repliesWait whether replies wait for the log
   * @param requests how many wait to be proposed
   */
  boolean waits(long last, long durable, boolean repliesWait, int requests, long nowMillis) {
    if (last <= durable) {
      slow = false;
      instance = Long.MIN_VALUE;
      return false;
    }
    if (!repliesWait) {
      return false;
    }
    if (durable >= instance) {
      // The sync that the leader waited for has ended, and another one runs.
      instance = last;
      sinceMillis = nowMillis;
    }
    slow |= nowMillis - sinceMillis > MOST_MILLIS;
    return !slow && requests < ENOUGH_REQUESTS;
  }
}
