package io.lockstep.bench.measure;

import java.util.concurrent.TimeUnit;

/**
 * How long one point is run.
 *
 * @param warmupMillis run first and not counted, 0 or more
 * @param measureMillis the measured window, at least 1000: its time-line has one count per second
 * @param deadlineMillis an operation unanswered for so long is lost, at least 1
 */
public record Schedule(int warmupMillis, int measureMillis, int deadlineMillis) {
  public Schedule {
    if (warmupMillis < 0 || measureMillis < 1000 || deadlineMillis < 1) {
      throw new IllegalArgumentException(
          "need warm-up >= 0 ms, window >= 1000 ms, deadline >= 1 ms; got "
              + warmupMillis
              + ", "
              + measureMillis
              + ", "
              + deadlineMillis);
    }
  }

  /** A schedule in whole seconds and a deadline in milliseconds. */
  public static Schedule ofSeconds(int warmup, int measure, int deadlineMillis) {
    return new Schedule(
        Math.multiplyExact(warmup, 1000), Math.multiplyExact(measure, 1000), deadlineMillis);
  }

  long warmupNanos() {
    return TimeUnit.MILLISECONDS.toNanos(warmupMillis);
  }

  long measureNanos() {
    return TimeUnit.MILLISECONDS.toNanos(measureMillis);
  }

  /** The deadline in nanoseconds. */
  public long deadlineNanos() {
    return TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
  }
}
