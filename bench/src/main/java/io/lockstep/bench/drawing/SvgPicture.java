package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Writes the elements of an SVG picture; coordinates in pixels from the upper left corner. It
 * remembers what its texts cover, so that further ones can be put elsewhere. Used by one thread.
 */
public final class SvgPicture {
  /** The size of texts. */
  static final int FONT_PIXELS = 12;

  /** The size of titles, which are bold. */
  static final int TITLE_PIXELS = 15;

  private final StringBuilder body = new StringBuilder();
  private final List<Area> texts = new ArrayList<>();
  private final int width;
  private final int height;

  /**
   * An empty picture.
   *
   * @param width in pixels
   * @param height in pixels
   */
  public SvgPicture(int width, int height) {
    this.width = width;
    this.height = height;
  }

  /** Its width in pixels. */
  public int width() {
    return width;
  }

  void line(double x1, double y1, double x2, double y2, String style) {
    element("<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" %s/>", x1, y1, x2, y2, style);
  }

  /** A rectangle. */
  public void rectangle(Area area, String style) {
    element(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" %s/>",
        area.left(), area.top(), area.width(), area.height(), style);
  }

  void circle(double x, double y, double radius, String style) {
    element("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" %s/>", x, y, radius, style);
  }

  /** A line through points, given as "x,y" joined by blanks. */
  void polyline(String points, String style) {
    element("<polyline points=\"%s\" fill=\"none\" %s/>", points.strip(), style);
  }

  /** A closed shape around points, given as "x,y" joined by blanks. */
  void polygon(String points, String style) {
    element("<polygon points=\"%s\" %s/>", points.strip(), style);
  }

  /**
   * A text.
   *
   * @param y of its baseline
   */
  public void text(double x, double y, Anchor anchor, String text) {
    texts.add(TextSize.area(x, y, anchor, text, FONT_PIXELS, false));
    element(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">%s</text>",
        x, y, anchor.attribute(), escaped(text));
  }

  /** A text in bold, of {@link #FONT_PIXELS} or {@link #TITLE_PIXELS}. */
  void bold(double x, double y, Anchor anchor, int fontPixels, String text) {
    texts.add(TextSize.area(x, y, anchor, text, fontPixels, true));
    element(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" font-size=\"%d\""
            + " font-weight=\"bold\">%s</text>",
        x, y, anchor.attribute(), fontPixels, escaped(text));
  }

  /** A text with a white border, so that lines below it do not cross it. */
  void haloed(double x, double y, Anchor anchor, String text) {
    texts.add(TextSize.area(x, y, anchor, text, FONT_PIXELS, false));
    element(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" stroke=\"white\" stroke-width=\"3\""
            + " paint-order=\"stroke\">%s</text>",
        x, y, anchor.attribute(), escaped(text));
  }

  /** The title of the picture. */
  public void title(double x, double y, String text) {
    bold(x, y, Anchor.START, TITLE_PIXELS, text);
  }

  /** A text that begins at x. */
  public void note(double x, double y, String text) {
    text(x, y, Anchor.START, text);
  }

  /** A text that reads upwards; its middle is at y and its baseline at x. */
  void upright(double x, double y, String text) {
    Area lying = TextSize.area(0, 0, Anchor.MIDDLE, text, FONT_PIXELS, false);
    texts.add(new Area(x + lying.top(), y + lying.left(), x + lying.bottom(), y + lying.right()));
    element(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"middle\""
            + " transform=\"rotate(-90 %.1f %.1f)\">%s</text>",
        x, y, x, y, escaped(text));
  }

  /** Whether no text covers a part of the area. */
  boolean isFree(Area area) {
    return texts.stream().noneMatch(area::overlaps);
  }

  private void element(String format, Object... values) {
    body.append(String.format(Locale.ROOT, format, values)).append('\n');
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }

  /** The whole file. */
  public String xml() {
    return String.format(
        Locale.ROOT,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
            + " viewBox=\"0 0 %d %d\" font-family=\"sans-serif\" font-size=\"%d\">\n"
            + "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n%s</svg>\n",
        width,
        height,
        width,
        height,
        FONT_PIXELS,
        body);
  }
}
