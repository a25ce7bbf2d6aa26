package io.lockstep.core.state;

import java.util.concurrent.TimeUnit;

/**
 * How long one peer that keeps the node busy waits for its next turn: four times as long as the
 * last one took, so that others have four fifths of the time. Pure.
 */
public final class FairShare {
  /** So many times as long as its turn took, a peer waits. */
  public static final int FACTOR = 4;

  /** The longest wait. */
  public static final long MAX_PAUSE_MILLIS = 1_000;

  private FairShare() {}

  /** The wait after a turn that took so long; nanoseconds. */
  public static long pauseNanos(long tookNanos) {
    return Math.min(
        TimeUnit.MILLISECONDS.toNanos(MAX_PAUSE_MILLIS), FACTOR * Math.max(0, tookNanos));
  }
}
