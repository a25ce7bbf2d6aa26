package io.lockstep.bench.drawing;

import org.jspecify.annotations.Nullable;

/**
 * A point of a curve.
 *
 * @param across the interval of x; null where there is none
 * @param along the interval of y; null where there is none
 * @param label beside the point; empty for none
 */
public record CurvePoint(
    double x, double y, @Nullable Interval across, @Nullable Interval along, String label) {
  /** A point without intervals and label. */
  public CurvePoint(double x, double y) {
    this(x, y, null, null, "");
  }
}
