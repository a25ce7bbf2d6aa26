package io.lockstep.history.load;

import java.util.function.LongSupplier;

/**
 * Lets operations through in waves, so that even a low rate has moments at which all clients are
 * busy at once. What a wave did not use is lost, so a stall is not followed by a flood.
 * Thread-safe.
 */
public final class Pace {
  private static final double WAVE_NANOS = 100_000_000;

  /** Where a wave would have fewer operations, there are fewer waves. */
  private static final double LEAST_PER_WAVE = 4;

  private final LongSupplier nanoTime;
  private final long waveNanos;
  private final double perWave;
  private final LineBudget lines;
  private long wave;
  private double left;

  /**
   * A pace.
   *
   * @param perSecond operations, on average
   * @param lines of which each operation takes one
   */
  public Pace(LongSupplier nanoTime, double perSecond, LineBudget lines) {
    this.nanoTime = nanoTime;
    this.waveNanos = (long) Math.max(WAVE_NANOS, LEAST_PER_WAVE / perSecond * 1e9);
    this.perWave = perSecond * waveNanos / 1e9;
    this.lines = lines;
    this.wave = Long.MIN_VALUE;
  }

  /** Whether one more operation may be sent now. */
  public synchronized boolean take() {
    long now = nanoTime.getAsLong() / waveNanos;
    if (now != wave) {
      wave = now;
      // A part of an operation is carried over.
      left = perWave + left % 1;
    }
    if (left < 1 || !lines.take()) {
      return false;
    }
    left--;
    return true;
  }

  /** Whether all operations there may be were sent. */
  boolean spent() {
    return lines.spent();
  }
}
