package io.lockstep.bench.switchmodel;

import io.lockstep.bench.drawing.FigurePoint;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The points of the figures and what was found when they were compared with the paper. */
final class Findings {
  private final List<FigurePoint> points = new ArrayList<>();
  private final List<Finding> findings = new ArrayList<>();

  /** One comparison. */
  record Finding(String figure, String what, boolean good) {
    @Override
    public String toString() {
      return (figure.matches("\\d.*") ? "Fig. " : "")
          + figure
          + ": "
          + what
          + (good ? "" : " - NOT as in the paper");
    }
  }

  void point(
      String figure, String profile, Object x, double value, String unit, @Nullable Double paper) {
    points.add(new FigurePoint(figure, profile, x, value, unit, paper));
  }

  void check(String figure, String what, boolean good) {
    findings.add(new Finding(figure, what, good));
  }

  /** Checks that a value is near the paper's. */
  void near(String figure, String what, double value, double paper, double tolerancePercent) {
    double off = 100 * (value - paper) / paper;
    check(
        figure,
        String.format(
            Locale.ROOT,
            "%s: %.1f, paper %.1f, %+.1f %% (tolerance %.0f %%)",
            what,
            value,
            paper,
            off,
            tolerancePercent),
        Math.abs(off) <= tolerancePercent);
  }

  List<FigurePoint> points() {
    return points;
  }

  List<Finding> findings() {
    return findings;
  }
}
