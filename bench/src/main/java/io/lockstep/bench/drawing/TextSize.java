package io.lockstep.bench.drawing;

/**
 * Estimates the room of a text. A picture does not know the font of its viewer, so the widths are
 * those of a wide common font (DejaVu Sans), and most others need less.
 */
public final class TextSize {
  private static final double ABOVE_BASELINE = 0.78;
  private static final double BELOW_BASELINE = 0.24;
  private static final double BOLD = 1.1;

  private TextSize() {}

  /** The width of a text in pixels, in a font of so many pixels. */
  public static double width(String text, double fontPixels, boolean bold) {
    double width = 0;
    for (int i = 0; i < text.length(); i++) {
      width += width(text.charAt(i));
    }
    return width * fontPixels * (bold ? BOLD : 1);
  }

  /** What a text covers whose anchor is at x and whose baseline is at y. */
  public static Area area(
      double x, double y, Anchor anchor, String text, double fontPixels, boolean bold) {
    double width = width(text, fontPixels, bold);
    double left =
        switch (anchor) {
          case START -> x;
          case MIDDLE -> x - width / 2;
          case END -> x - width;
        };
    return new Area(
        left, y - ABOVE_BASELINE * fontPixels, left + width, y + BELOW_BASELINE * fontPixels);
  }

  /** In parts of the font's size. */
  private static double width(char c) {
    if (Character.isDigit(c)) {
      return 0.64;
    }
    if ("ijlI.,:;'|! ".indexOf(c) >= 0) {
      return 0.34;
    }
    if ("frt()[]/-".indexOf(c) >= 0) {
      return 0.42;
    }
    if ("mwMW%@∞".indexOf(c) >= 0) {
      return 0.97;
    }
    return Character.isUpperCase(c) ? 0.74 : 0.63;
  }
}
