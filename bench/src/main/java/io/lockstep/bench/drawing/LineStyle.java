package io.lockstep.bench.drawing;

import java.util.List;

/**
 * How a curve looks. Dashes and markers alone tell the curves of a picture from each other.
 *
 * @param dashes as SVG's {@code stroke-dasharray}; {@code none} for a solid line
 */
public record LineStyle(String colour, String dashes, Marker marker) {
  private static final List<LineStyle> ALL =
      List.of(
          new LineStyle("#0072b2", "none", Marker.CIRCLE),
          new LineStyle("#d55e00", "8,3", Marker.SQUARE),
          new LineStyle("#007a5a", "2,3", Marker.TRIANGLE),
          new LineStyle("#a0508a", "8,3,2,3", Marker.DIAMOND),
          new LineStyle("#1a1a1a", "14,4", Marker.POINT_DOWN),
          new LineStyle("#8a6500", "4,4", Marker.CROSS),
          new LineStyle("#5a5a5a", "12,3,2,3,2,3", Marker.PLUS));

  /** The style of the n-th curve, from 0; they repeat after seven. */
  public static LineStyle of(int index) {
    return ALL.get(Math.floorMod(index, ALL.size()));
  }

  String stroke() {
    return stroke(0);
  }

  /**
   * The same where other curves lie on this one.
   *
   * @param above how many: this one is so much wider that it shows on both sides of them
   */
  String stroke(int above) {
    return "stroke=\""
        + colour
        + "\" stroke-width=\""
        + (18 + 22 * above) / 10
        + "."
        + (18 + 22 * above) % 10
        + "\""
        + (dashes.equals("none") ? "" : " stroke-dasharray=\"" + dashes + "\"");
  }
}
