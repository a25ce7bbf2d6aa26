package io.lockstep.bench.switchmodel;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A figure as SVG: for each unit a panel, in it a line for each profile where x is a number, else
 * bars. What they are compared with (the paper) is dashed, or a black mark beside a bar.
 */
public final class Chart {
  private static final int WIDTH = 880;
  private static final int PANEL = 300;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 44;
  private static final int BOTTOM = 46;
  private static final List<String> COLOURS =
      List.of("#1f77b4", "#d62728", "#2ca02c", "#ff7f0e", "#9467bd", "#8c564b");
  private static final String FRAME = "stroke=\"black\" stroke-width=\"1\"";
  private static final String GRID = "stroke=\"#dddddd\" stroke-width=\"1\"";
  private static final String PAPER =
      "stroke=\"black\" stroke-width=\"1.5\" stroke-dasharray=\"5,4\"";

  private Chart() {}

  /**
   * Draws a figure.
   *
   * @param title above it
   * @param xLabel what numbers on the horizontal axis are
   * @param dashed what the dashed lines and marks are, such as the paper
   * @param points of one figure, in order of x
   */
  public static String svg(String title, String xLabel, String dashed, List<FigurePoint> points) {
    Map<String, Map<String, List<FigurePoint>>> panels = new LinkedHashMap<>();
    for (FigurePoint point : points) {
      panels
          .computeIfAbsent(point.unit(), unit -> new LinkedHashMap<>())
          .computeIfAbsent(point.profile(), profile -> new ArrayList<>())
          .add(point);
    }
    boolean bars = points.stream().anyMatch(point -> !(point.x() instanceof Number));
    SvgPage page = new SvgPage(WIDTH, TOP + PANEL * panels.size());
    page.text(WIDTH / 2.0, 20, "middle", title);
    int top = TOP;
    for (Map.Entry<String, Map<String, List<FigurePoint>>> panel : panels.entrySet()) {
      double highest = highest(panel.getValue());
      Axis y = Axis.upTo(highest, top + PANEL - BOTTOM, top + 16);
      frame(page, y, panel.getKey());
      if (bars) {
        bars(page, y, dashed, panel.getValue());
      } else {
        lines(page, y, xLabel, dashed, panel.getValue());
      }
      top += PANEL;
    }
    return page.xml();
  }

  private static double highest(Map<String, List<FigurePoint>> series) {
    double highest = 0;
    for (List<FigurePoint> points : series.values()) {
      for (FigurePoint point : points) {
        double paper = point.paper() == null ? 0 : point.paper();
        highest = Math.max(highest, Math.max(point.value(), paper));
      }
    }
    return highest;
  }

  private static void frame(SvgPage page, Axis y, String unit) {
    for (double tick : y.ticks()) {
      page.line(LEFT, y.pixel(tick), WIDTH - RIGHT, y.pixel(tick), GRID);
      page.text(LEFT - 6, y.pixel(tick) + 4, "end", Axis.label(tick));
    }
    page.line(LEFT, y.fromPixel(), LEFT, y.toPixel(), FRAME);
    page.line(LEFT, y.fromPixel(), WIDTH - RIGHT, y.fromPixel(), FRAME);
    page.text(LEFT, y.toPixel() - 6, "start", unit);
  }

  private static void lines(
      SvgPage page, Axis y, String xLabel, String dashed, Map<String, List<FigurePoint>> series) {
    double highest = 0;
    for (List<FigurePoint> points : series.values()) {
      for (FigurePoint point : points) {
        highest = Math.max(highest, number(point));
      }
    }
    Axis x = Axis.upTo(highest, LEFT, WIDTH - RIGHT);
    for (double tick : x.ticks()) {
      page.line(x.pixel(tick), y.fromPixel(), x.pixel(tick), y.fromPixel() + 4, FRAME);
      page.text(x.pixel(tick), y.fromPixel() + 17, "middle", Axis.label(tick));
    }
    page.text((LEFT + WIDTH - RIGHT) / 2.0, y.fromPixel() + 34, "middle", xLabel);
    int index = 0;
    for (Map.Entry<String, List<FigurePoint>> each : series.entrySet()) {
      String colour = COLOURS.get(index % COLOURS.size());
      StringBuilder ours = new StringBuilder();
      StringBuilder paper = new StringBuilder();
      for (FigurePoint point : each.getValue()) {
        append(ours, x.pixel(number(point)), y.pixel(point.value()));
        if (point.paper() != null) {
          append(paper, x.pixel(number(point)), y.pixel(point.paper()));
          page.circle(x.pixel(number(point)), y.pixel(point.paper()), 1.6, "fill=\"black\"");
        }
      }
      page.polyline(ours.toString(), "stroke=\"" + colour + "\" stroke-width=\"2\"");
      page.polyline(paper.toString(), PAPER);
      legend(page, y, index++, colour, each.getKey());
    }
    page.text(WIDTH - RIGHT, y.toPixel() - 6, "end", dashed);
  }

  private static double number(FigurePoint point) {
    return ((Number) point.x()).doubleValue();
  }

  private static void append(StringBuilder points, double x, double y) {
    points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x, y));
  }

  private static void legend(SvgPage page, Axis y, int index, String colour, String name) {
    double left = LEFT + 110 + 130.0 * index;
    page.rectangle(left, y.toPixel() - 15, 10, 10, "fill=\"" + colour + "\"");
    page.text(left + 14, y.toPixel() - 6, "start", name);
  }

  private static void bars(
      SvgPage page, Axis y, String dashed, Map<String, List<FigurePoint>> series) {
    int count = series.values().stream().mapToInt(List::size).sum();
    double slot = (WIDTH - RIGHT - LEFT) / (double) count;
    double left = LEFT;
    int index = 0;
    for (Map.Entry<String, List<FigurePoint>> each : series.entrySet()) {
      String colour = COLOURS.get(index++ % COLOURS.size());
      for (FigurePoint point : each.getValue()) {
        double top = y.pixel(point.value());
        page.rectangle(
            left + slot * 0.2, top, slot * 0.6, y.fromPixel() - top, "fill=\"" + colour + "\"");
        page.text(left + slot / 2, top - 4, "middle", Axis.label(Math.rint(point.value())));
        page.text(left + slot / 2, y.fromPixel() + 15, "middle", each.getKey());
        page.text(left + slot / 2, y.fromPixel() + 30, "middle", point.x().toString());
        if (point.paper() != null) {
          double paper = y.pixel(point.paper());
          page.line(left + slot * 0.1, paper, left + slot * 0.9, paper, PAPER);
        }
        left += slot;
      }
    }
    page.text(WIDTH - RIGHT, y.toPixel() - 6, "end", dashed);
  }
}
