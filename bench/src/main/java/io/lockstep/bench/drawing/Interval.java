package io.lockstep.bench.drawing;

import org.jspecify.annotations.Nullable;

/** A confidence interval, in the unit of its value. */
public record Interval(double low, double high) {
  /** The interval, or null where one of its ends is not known. */
  public static @Nullable Interval of(@Nullable Double low, @Nullable Double high) {
    return low == null || high == null ? null : new Interval(low, high);
  }

  /** The interval in another unit, {@code factor} of which are one of this. */
  public Interval times(double factor) {
    return new Interval(low * factor, high * factor);
  }
}
