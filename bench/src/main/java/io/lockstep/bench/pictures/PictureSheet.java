package io.lockstep.bench.pictures;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.CurvePanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.SvgPicture;
import java.util.ArrayList;
import java.util.List;

/**
 * A picture of several panels: title and legend above, panels below each other or in two columns,
 * and under them where the figures come from. Used by one thread.
 */
final class PictureSheet {
  private static final int MARGIN = 16;
  private static final int TOP = 40;
  private static final int GAP = 6;
  private static final int LINE = 17;
  private static final int CURVES_HIGH = 300;

  private final String title;
  private final int width;
  private final int columns;
  private final Legend legend;
  private final List<Panel> panels = new ArrayList<>();
  private final List<String> notes = new ArrayList<>();

  private record Panel(double height, Drawing drawing) {}

  /** Draws something into an area. */
  private interface Drawing {
    void draw(SvgPicture picture, Area area);
  }

  PictureSheet(String title, int width, int columns, Legend legend) {
    this.title = title;
    this.width = width;
    this.columns = columns;
    this.legend = legend;
  }

  void add(BarPanel bars) {
    panels.add(new Panel(bars.height(), bars::draw));
  }

  void add(CurvePanel curves) {
    panels.add(new Panel(CURVES_HIGH, curves::draw));
  }

  /** Adds a line under the panels. */
  void note(String text) {
    notes.add(text);
  }

  String svg() {
    double wide = width - 2.0 * MARGIN;
    double top = TOP + (legend.isEmpty() ? 0 : legend.height(wide) + GAP);
    double height = top;
    for (int first = 0; first < panels.size(); first += columns) {
      height += row(first) + GAP;
    }
    SvgPicture picture =
        new SvgPicture(width, (int) Math.ceil(height + notes.size() * LINE + MARGIN));
    picture.title(MARGIN, TOP - MARGIN, title);
    legend.draw(picture, MARGIN, TOP, wide);
    double column = wide / columns;
    for (int i = 0; i < panels.size(); i++) {
      double left = MARGIN + column * (i % columns);
      Panel panel = panels.get(i);
      panel.drawing().draw(picture, new Area(left, top, left + column, top + panel.height()));
      if (i % columns == columns - 1) {
        top += row(i - columns + 1) + GAP;
      }
    }
    for (int i = 0; i < notes.size(); i++) {
      picture.note(MARGIN, height + (i + 1) * LINE - GAP, notes.get(i));
    }
    return picture.xml();
  }

  /** The height of a row, by its first panel. */
  private double row(int first) {
    return panels.subList(first, Math.min(first + columns, panels.size())).stream()
        .mapToDouble(Panel::height)
        .max()
        .orElse(0);
  }
}
