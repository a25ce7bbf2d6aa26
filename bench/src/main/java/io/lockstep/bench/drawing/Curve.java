package io.lockstep.bench.drawing;

import java.util.List;

/** The points of a panel that belong together, in the order in which a line joins them. */
public record Curve(String name, LineStyle style, List<CurvePoint> points) {
  public Curve {
    points = List.copyOf(points);
  }
}
