package io.lockstep.history.replica.clock;

import java.util.concurrent.TimeUnit;

/**
 * The clocks of this virtual machine as rewritten classes read them. The wall clock jumps in both
 * directions; the monotonic one only forwards, as that of a machine that was suspended, and so it
 * never goes back. Thread-safe.
 */
public final class SkewedTime {
  private static volatile Skew wall = Skew.NONE;
  private static volatile Skew monotonic = Skew.NONE;

  private SkewedTime() {}

  /** In place of {@link System#nanoTime}. */
  public static long nanoTime() {
    return monotonic.shown(System.nanoTime());
  }

  /** In place of {@link System#currentTimeMillis}. */
  public static long currentTimeMillis() {
    return wall.shown(System.currentTimeMillis());
  }

  /** Lets the wall clock jump and then be too fast by so many millionths. */
  public static synchronized void wall(long jumpMillis, long millionths) {
    wall = wall.then(System.currentTimeMillis(), jumpMillis, millionths);
  }

  /**
   * The same for the monotonic clock.
   *
   * @param jumpMillis 0 or more
   * @param millionths above -1 000 000
   */
  public static synchronized void monotonic(long jumpMillis, long millionths) {
    if (jumpMillis < 0 || millionths <= -1_000_000) {
      throw new IllegalArgumentException("a monotonic clock does not go back");
    }
    long jump = TimeUnit.MILLISECONDS.toNanos(jumpMillis);
    monotonic = monotonic.then(System.nanoTime(), jump, millionths);
  }

  /** The wall clock shows the machine's time again; the monotonic one goes on as the machine's. */
  public static synchronized void straighten() {
    wall = Skew.NONE;
    monotonic = monotonic.then(System.nanoTime(), 0, 0);
  }
}
