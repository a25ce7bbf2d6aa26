package io.lockstep.bench.page;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.Curve;
import io.lockstep.bench.drawing.CurvePanel;
import io.lockstep.bench.drawing.CurvePoint;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.LineStyle;
import io.lockstep.bench.drawing.Marker;
import io.lockstep.bench.drawing.SvgPicture;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Figs. 7 to 9: latency over throughput, a curve for each variant through its numbers of flows, and
 * a panel for each mode and place of the state.
 */
final class LoadFigure implements PaperFigure {
  private static final int WIDTH = 1100;
  private static final int NARROW = 780;
  private static final int PANEL = 380;
  private static final int MARGIN = 12;
  private static final int TOP = 36;
  private static final int NOTE = 20;
  private static final double KILO = 1e-3;

  private final String name;
  private final String event;
  private final List<LoadPoint> points;

  /**
   * A figure.
   *
   * @param event what happens, such as {@code learning switch, unicast packet}
   * @param rows of all figures
   */
  LoadFigure(String name, String event, List<FigureRow> rows) {
    this.name = name;
    this.event = event;
    points = LoadPoint.of(rows, name);
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public String title() {
    return name + ": " + event + ", latency (ms, 90th percentile) over throughput (k flows/s)";
  }

  @Override
  public boolean isMeasured() {
    return !points.isEmpty();
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException {
    Files.writeString(directory.resolve(file()), svg());
    page.picture(file(), title());
    LoadTable.write(page, points);
  }

  private String svg() {
    Map<Setting, List<LoadPoint>> panels = LoadPoint.bySetting(points);
    int columns = panels.size() > 1 ? 2 : 1;
    int width = columns > 1 ? WIDTH : NARROW;
    Legend legend = legend();
    double top = TOP + legend.height(width - 2.0 * MARGIN) + NOTE;
    int rows = (panels.size() + columns - 1) / columns;
    SvgPicture picture = new SvgPicture(width, (int) Math.ceil(top + rows * PANEL));
    picture.title(MARGIN, 22, name + ": " + event);
    legend.draw(picture, MARGIN, TOP, width - 2.0 * MARGIN);
    picture.note(MARGIN, top - 6, note());
    double wide = (width - 2.0 * MARGIN) / columns;
    int index = 0;
    for (Map.Entry<Setting, List<LoadPoint>> each : panels.entrySet()) {
      double left = MARGIN + wide * (index % columns);
      double upper = top + PANEL * (index / columns);
      panel(each.getKey(), each.getValue())
          .draw(picture, new Area(left, upper, left + wide, upper + PANEL));
      index++;
    }
    return picture.xml();
  }

  private Legend legend() {
    Legend legend = new Legend();
    Set<String> variants = new LinkedHashSet<>();
    points.stream()
        .map(point -> point.load().variant())
        .sorted((a, b) -> Integer.compare(VariantOrder.place(a), VariantOrder.place(b)))
        .forEach(variants::add);
    variants.forEach(variant -> legend.curve(variant, VariantOrder.style(variant)));
    if (points.stream().anyMatch(point -> isPrinted(point.throughput()) && hasLatency(point))) {
      legend.reference("the paper (shape of the variant)", Marker.CIRCLE, false);
    }
    if (points.stream().anyMatch(point -> isPrinted(point.throughput()) && !hasLatency(point))) {
      legend.vertical("the paper's throughput");
    }
    return legend;
  }

  private static boolean isPrinted(@Nullable Point point) {
    return point != null && point.paper() != null;
  }

  private static boolean hasLatency(LoadPoint point) {
    Double paper = point.high() == null ? null : point.high().paper();
    return paper != null && paper > 0;
  }

  private String note() {
    boolean intervals =
        points.stream().anyMatch(point -> LoadPoint.interval(point.throughput(), KILO) != null);
    return "Numbers at the points: flows at a time."
        + (intervals ? " Thin bars: 95 % interval over the forks." : "");
  }

  private static CurvePanel panel(Setting setting, List<LoadPoint> points) {
    CurvePanel panel =
        new CurvePanel(setting.label(), "throughput, k flows/s", "latency p90, ms", true);
    Map<String, List<CurvePoint>> curves = new LinkedHashMap<>();
    Set<String> seen = new LinkedHashSet<>();
    for (LoadPoint point : points) {
      String variant = point.load().variant();
      Point throughput = point.throughput();
      Point high = point.high();
      if (throughput == null || high == null || !(high.value() > 0)) {
        continue;
      }
      curves
          .computeIfAbsent(variant, each -> new ArrayList<>())
          .add(
              new CurvePoint(
                  throughput.value() * KILO,
                  high.value(),
                  LoadPoint.interval(throughput, KILO),
                  LoadPoint.interval(high, 1),
                  Integer.toString(point.load().flows())));
      Double rate = throughput.paper();
      Double millis = high.paper();
      if (rate != null && seen.add(variant + " " + rate + " " + millis)) {
        compare(panel, variant, rate * KILO, millis);
      }
    }
    curves.forEach(
        (variant, curve) -> panel.add(new Curve(variant, VariantOrder.style(variant), curve)));
    return panel;
  }

  private static void compare(
      CurvePanel panel, String variant, double rate, @Nullable Double millis) {
    String label = "paper " + variant;
    if (millis == null || !(millis > 0)) {
      panel.compareAt(rate, label + " " + Rounded.printed(rate) + " k/s");
      return;
    }
    LineStyle style = VariantOrder.style(variant);
    panel.compare(
        new Curve(label, style, List.of(new CurvePoint(rate, millis, null, null, label))));
  }
}
