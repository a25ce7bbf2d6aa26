package io.lockstep.bench.drawing;

import java.util.Locale;

/** The shape of a point. Readers tell shapes apart without colours. */
public enum Marker {
  CIRCLE,
  SQUARE,
  TRIANGLE,
  DIAMOND,
  CROSS,
  POINT_DOWN,
  PLUS;

  static final double RADIUS = 4;
  static final double HOLLOW_RADIUS = 7;

  /** Draws a filled one. */
  void solid(SvgPicture picture, double x, double y, String colour) {
    draw(picture, x, y, RADIUS, colour, colour);
  }

  /** Draws a larger, hollow one in black, through which a filled one at the same place shows. */
  void hollow(SvgPicture picture, double x, double y) {
    draw(picture, x, y, HOLLOW_RADIUS, "none", "black");
  }

  private void draw(SvgPicture picture, double x, double y, double r, String fill, String stroke) {
    String style =
        "fill=\"" + fill + "\" stroke=\"" + stroke + "\" stroke-width=\"1.5\" class=\"mark\"";
    switch (this) {
      case CIRCLE -> picture.circle(x, y, r * 0.9, style);
      case SQUARE -> picture.polygon(around(x, y, -r, -r, r, -r, r, r, -r, r, 0.85), style);
      case TRIANGLE -> picture.polygon(around(x, y, 0, -r, r, r, -r, r, -r, r, 1), style);
      case POINT_DOWN -> picture.polygon(around(x, y, 0, r, r, -r, -r, -r, -r, -r, 1), style);
      case DIAMOND -> picture.polygon(around(x, y, 0, -r, r, 0, 0, r, -r, 0, 1.15), style);
      case CROSS -> lines(picture, x, y, r * 0.9, r * 0.9, style);
      case PLUS -> {
        picture.line(x - r, y, x + r, y, style);
        picture.line(x, y - r, x, y + r, style);
      }
    }
  }

  private static void lines(
      SvgPicture picture, double x, double y, double wide, double high, String style) {
    picture.line(x - wide, y - high, x + wide, y + high, style);
    picture.line(x - wide, y + high, x + wide, y - high, style);
  }

  /** Four corners; the last value is a factor on their distances. */
  private static String around(double x, double y, double... corners) {
    double factor = corners[corners.length - 1];
    StringBuilder points = new StringBuilder();
    for (int i = 0; i + 1 < corners.length - 1; i += 2) {
      points.append(
          String.format(
              Locale.ROOT, "%.1f,%.1f ", x + corners[i] * factor, y + corners[i + 1] * factor));
    }
    return points.toString();
  }
}
