package io.lockstep.bench.switchmodel;

import java.util.Locale;

/** Writes the elements of an SVG picture; coordinates in pixels from the upper left corner. */
final class SvgPage {
  private final StringBuilder body = new StringBuilder();
  private final int width;
  private final int height;

  SvgPage(int width, int height) {
    this.width = width;
    this.height = height;
  }

  void line(double x1, double y1, double x2, double y2, String style) {
    element("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, style);
  }

  void rectangle(double x, double y, double wide, double high, String style) {
    element(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>", x, y, wide, high, style);
  }

  void circle(double x, double y, double radius, String style) {
    element("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", x, y, radius, style);
  }

  /** A line through points, given as "x,y" joined by blanks. */
  void polyline(String points, String style) {
    element("<polyline points=\"%s\" fill=\"none\" %s/>", points, style);
  }

  /**
   * A text.
   *
   * @param anchor start, middle or end: what of the text is at x
   */
  void text(double x, double y, String anchor, String text) {
    element(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>", x, y, anchor, escaped(text));
  }

  private void element(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The whole file. */
  String xml() {
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"12\">%n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>%n%s</svg>%n",
        width,
        height,
        width,
        height,
        body);
  }
}
