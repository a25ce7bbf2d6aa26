package io.lockstep.store.engine.bftsmart;

/**
 * When a leader may propose a large batch, so that a small request waits for one of them at most:
 * not before the last one is durable in the leader's log. Where small batches were proposed since,
 * as much time must also pass again as the last one took. So large requests take half of the time
 * at most while others have requests, and all of it otherwise. The pause is bounded, so large
 * requests are never starved.
 *
 * <p>Chooses what a leader proposes and nothing else: replicas decide every proposal.
 *
 * <p>Pure: time is an argument, in milliseconds of a monotone clock, perhaps negative. Owned by the
 * replica's loop.
 */
final class LargeBatches {
  /** A batch with more bytes is large, and so is a request. */
  static final int LARGE_BYTES = 256 << 10;

  /** The longest pause between two large batches. */
  static final long MOST_PAUSE_MILLIS = 250;

  /** The instance of the last large batch. */
  private long instance;

  private long beganMillis;

  /** Whether the last large batch was not yet seen to be durable. */
  private boolean running;

  private boolean smallSince;
  private long durableMillis;
  private long pauseMillis;

  /**
   * Whether the next batch may be large. Asked where no instance runs.
   *
   * @param last the last instance in the leader's log; below a proposed one where a leader change
   *     has dropped that
   * @param durable the last durable one
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

  /** Whether the last large batch was not durable when {@link #admits} was asked. */
  boolean waitsForDisk() {
    return running;
  }

  /** A batch that might be large was proposed. */
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

  /** A batch that was not admitted to be large was proposed. */
  void proposedSmall() {
    smallSince = true;
  }
}
