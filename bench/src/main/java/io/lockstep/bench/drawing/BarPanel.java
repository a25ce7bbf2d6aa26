package io.lockstep.bench.drawing;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Horizontal bars, so that their names have room. Each name has one or more bars below each other;
 * a heading stands above names that belong together. Used by one thread.
 */
public final class BarPanel {
  private static final double RIGHT = 18;
  private static final double TOP = 30;
  private static final double BOTTOM = 48;
  private static final double BAR = 13;
  private static final double GAP = 7;
  private static final double HEADING = 20;
  private static final double TEXT_GAP = 6;
  private static final double CUT = 9;

  private final String title;
  private final String xName;
  private final double limit;
  private final List<Row> rows = new ArrayList<>();

  private record Row(String name, List<Bar> bars) {
    boolean isHeading() {
      return bars.isEmpty();
    }

    double height() {
      return isHeading() ? HEADING : BAR * bars.size() + GAP;
    }
  }

  /**
   * A panel without bars.
   *
   * @param title above the bars; empty for none
   * @param xName what the axis has, with its unit
   * @param limit where a longer bar is cut, its end marked; its text has the number
   */
  public BarPanel(String title, String xName, double limit) {
    this.title = title;
    this.xName = xName;
    this.limit = limit;
  }

  /** Begins a group. */
  public void heading(String name) {
    rows.add(new Row(name, List.of()));
  }

  /** Adds the bars of a name; at least one. */
  public void add(String name, List<Bar> bars) {
    if (bars.isEmpty()) {
      throw new IllegalArgumentException("no bars for " + name);
    }
    rows.add(new Row(name, List.copyOf(bars)));
  }

  /** How high it is, in pixels. */
  public double height() {
    return TOP + BOTTOM + rows.stream().mapToDouble(Row::height).sum();
  }

  /** Draws the panel, its names and numbers included, into the area. */
  public void draw(SvgPicture picture, Area area) {
    double names = 0;
    double texts = 0;
    double highest = 0;
    for (Row row : rows) {
      names = Math.max(names, TextSize.width(row.name(), SvgPicture.FONT_PIXELS, row.isHeading()));
      for (Bar bar : row.bars()) {
        texts = Math.max(texts, width(bar.text()));
        Interval interval = bar.interval();
        highest = Math.max(highest, Math.max(bar.sum(), interval == null ? 0 : interval.high()));
      }
    }
    double left = area.left() + names + 2 * TEXT_GAP;
    double right = area.right() - RIGHT - texts - 2 * TEXT_GAP;
    Area plot = new Area(left, area.top() + TOP, right, area.top() + height() - BOTTOM);
    Axis x = Axis.upTo(Math.min(highest, limit), left, right);
    if (!title.isEmpty()) {
      picture.bold(area.left(), area.top() + TOP - 10, Anchor.START, SvgPicture.FONT_PIXELS, title);
    }
    PanelFrame.across(picture, plot, x, xName);
    picture.line(left, plot.top(), left, plot.bottom(), PanelFrame.FRAME);
    double top = plot.top();
    for (Row row : rows) {
      draw(picture, row, x, top);
      if (row.isHeading()) {
        picture.bold(
            area.left(), top + HEADING - 5, Anchor.START, SvgPicture.FONT_PIXELS, row.name());
      }
      top += row.height();
    }
  }

  private static double width(String text) {
    return TextSize.width(text, SvgPicture.FONT_PIXELS, false);
  }

  private static void draw(SvgPicture picture, Row row, Axis x, double top) {
    if (row.isHeading()) {
      return;
    }
    double left = x.pixel(0);
    double middle = top + (row.height() - GAP) / 2 + GAP / 2;
    picture.text(left - TEXT_GAP, middle + 4, Anchor.END, row.name());
    double y = top + GAP / 2;
    for (Bar bar : row.bars()) {
      double end = draw(picture, bar, x, y);
      if (!bar.text().isEmpty()) {
        picture.haloed(end + TEXT_GAP, y + BAR - 3, Anchor.START, bar.text());
      }
      y += BAR;
    }
  }

  /** Marks a bar that goes on beyond the axis. */
  private static void cut(SvgPicture picture, double x, double y) {
    picture.polygon(
        String.format(
            Locale.ROOT, "%.1f,%.1f %.1f,%.1f %.1f,%.1f", x, y, x + CUT, y + BAR / 2, x, y + BAR),
        BarFill.DARK.style());
  }

  /** Returns where the bar and its interval end. */
  private static double draw(SvgPicture picture, Bar bar, Axis x, double y) {
    double from = 0;
    for (Bar.Part part : bar.parts()) {
      double to = Math.min(from + part.value(), x.to());
      picture.rectangle(
          new Area(x.pixel(from), y + 1, x.pixel(to), y + BAR - 1), part.fill().style());
      from = to;
    }
    double middle = y + BAR / 2;
    double end = x.pixel(from);
    Interval interval = bar.interval();
    if (bar.sum() > x.to() * (1 + 1e-9)) {
      cut(picture, end, y);
      return end + CUT;
    }
    if (interval != null) {
      double low = x.pixel(Math.max(0, interval.low()));
      double high = x.pixel(Math.min(interval.high(), x.to()));
      picture.line(low, middle, high, middle, "stroke=\"white\" stroke-width=\"3\"");
      picture.line(low, middle, high, middle, PanelFrame.FRAME);
      return Math.max(end, high);
    }
    return end;
  }
}
