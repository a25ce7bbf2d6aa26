package io.lockstep.store.engine.bftsmart;

/**
 * Decides when a leader may propose a large batch, so that a small request waits for one of them at
 * most. The last large batch must be durable in the leader's log. If the leader has proposed small
 * batches since, it must also pause for as long as that large batch took. So large requests get at
 * most half of the time while others wait, and otherwise all of it. The pause is bounded, so large
 * requests are never starved.
 *
 * <p>Affects only the leader's choice: replicas decide every proposal.
 *
 * <p>Pure: callers pass milliseconds of a monotonic clock, which may be negative. Owned by the
 * replica's loop.
 */
final class LargeBatches {
  /** A batch or a request with more bytes is large. */
  static final int LARGE_BYTES = 256 << 10;

  /** The longest pause between two large batches. */
  static final long MOST_PAUSE_MILLIS = 250;

  /** The instance of the last large batch. */
  private long instance;

  private long beganMillis;

  /** Whether the last large batch was not durable at the last check. */
  private boolean running;

  private boolean smallSince;
  private long durableMillis;
  private long pauseMillis;

  /**
   * Whether the next batch may be large. Called while no instance runs.
   *
   * @param last the last instance in the leader's log; less than a proposed one if a leader change
   *     dropped that one
   * @param durable the last durable instance
   */
  boolean admits(long last, long durable, long nowMillis) {
    if (running && durable >= Math.min(instance, last)) {
      running = false;
      durableMillis = nowMillis;
      pauseMillis = Math.min(MOST_PAUSE_MILLIS, nowMillis - beganMillis);
    }
    // No pause before the first one: the clock may be negative.
    boolean pauses = pauseMillis > 0 && nowMillis - durableMillis < pauseMillis;
    return !running && !(smallSince && pauses);
  }

  /** Whether {@link #admits} found the last large batch not durable. */
  boolean waitsForDisk() {
    return running;
  }

  /** Records a proposed batch that was allowed to be large. */
  void proposed(long newInstance, int bytes, long nowMillis) {
    if (bytes <= LARGE_BYTES) {
      proposedSmall();
      return;
    }
    instance = newInstance;
    beganMillis = nowMillis;
    running = true;
    smallSince = false;
    pauseMillis = 0;
  }

  /** Records a proposed batch that had to be small. */
  void proposedSmall() {
    smallSince = true;
  }
}
