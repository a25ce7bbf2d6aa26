package io.lockstep.bench.drawing;

/** The axes of a panel: lines at the ticks, their numbers, and what the axes are. */
final class PanelFrame {
  static final String FRAME = "stroke=\"black\" stroke-width=\"1\"";
  private static final String GRID = "stroke=\"#dddddd\" stroke-width=\"1\"";
  private static final double UNDER_PLOT = 17;
  private static final double X_NAME = 36;
  private static final double Y_NAME = 46;

  private PanelFrame() {}

  /** The horizontal axis, below the plot, with a line across the plot at each tick. */
  static void across(SvgPicture picture, Area plot, Axis x, String name) {
    for (double tick : x.ticks()) {
      double pixel = x.pixel(tick);
      picture.line(pixel, plot.top(), pixel, plot.bottom(), GRID);
      picture.text(pixel, plot.bottom() + UNDER_PLOT, Anchor.MIDDLE, Axis.label(tick));
    }
    picture.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), FRAME);
    picture.text((plot.left() + plot.right()) / 2, plot.bottom() + X_NAME, Anchor.MIDDLE, name);
  }

  /** The vertical axis, at the left of the plot. */
  static void along(SvgPicture picture, Area plot, Axis y, String name) {
    for (double tick : y.ticks()) {
      double pixel = y.pixel(tick);
      picture.line(plot.left(), pixel, plot.right(), pixel, GRID);
      picture.text(plot.left() - 6, pixel + 4, Anchor.END, Axis.label(tick));
    }
    picture.line(plot.left(), plot.top(), plot.left(), plot.bottom(), FRAME);
    if (!name.isEmpty()) {
      picture.upright(plot.left() - Y_NAME, (plot.top() + plot.bottom()) / 2, name);
    }
  }

  /** The title, in bold above the plot. */
  static void title(SvgPicture picture, Area plot, String title) {
    picture.bold(plot.left(), plot.top() - 10, Anchor.START, SvgPicture.FONT_PIXELS, title);
  }
}
