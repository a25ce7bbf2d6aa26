package io.lockstep.bench.history.load;

import java.util.function.LongSupplier;

/**
 * Lets operations through in waves, so that even a low rate has moments at which all clients are
 * busy at once. What a wave did not use is lost, so a stall is not followed by a flood.
 * Thread-safe.
 */
public final class Pace {
  private static final long WAVE_NANOS = 100_000_000;

  private final LongSupplier nanoTime;
  private final double perWave;
  private final long most;
  private long wave;
  private double left;
  private long taken;

  /**
   * A pace.
   *
   * @param perSecond operations, on average
   * @param most operations in all
   */
  public Pace(LongSupplier nanoTime, double perSecond, long most) {
    this.nanoTime = nanoTime;
    this.perWave = Math.max(1, perSecond * WAVE_NANOS / 1e9);
    this.most = most;
    this.wave = Long.MIN_VALUE;
  }

  /** Whether one more operation may be sent now. */
  synchronized boolean take() {
    long now = nanoTime.getAsLong() / WAVE_NANOS;
    if (now != wave) {
      wave = now;
      // A part of an operation is carried over.
      left = perWave + left % 1;
    }
    if (left < 1 || taken >= most) {
      return false;
    }
    left--;
    taken++;
    return true;
  }

  /** Whether all operations there may be were sent. */
  synchronized boolean spent() {
    return taken >= most;
  }
}
