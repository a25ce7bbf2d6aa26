package io.lockstep.bench.page;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Legend;
import io.lockstep.bench.drawing.SvgPicture;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.Point;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Table II: throughput and latency with a cache, at best and at worst, each at the number of flows
 * with the highest throughput.
 */
final class CacheFigure implements PaperFigure {
  private static final String NAME = "Table II";
  private static final int WIDTH = 1100;
  private static final int MARGIN = 12;
  private static final int TOP = 36;
  private static final double KILO = 1e-3;

  /** What the paper's number means where it is infinite. */
  private static final String NO_MESSAGE = "∞: no message";

  private final List<LoadPoint> points;
  private final List<FigureRow> rows;

  CacheFigure(List<FigureRow> rows) {
    this.rows = rows;
    points = LoadPoint.of(rows, NAME);
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String title() {
    return NAME + ": throughput (k flows/s) and latency (ms, 90th percentile) with a cache";
  }

  @Override
  public boolean isMeasured() {
    return !points.isEmpty();
  }

  @Override
  public void write(HtmlText page, Path directory) throws IOException {
    Files.writeString(directory.resolve(file()), svg());
    page.picture(file(), title());
    page.paragraph(
        "Best: the cache answers whatever it may. Worst: every operation goes to the store. Each bar"
            + " is the number of flows with the highest throughput. The learning switch sends no"
            + " message at best, for which the paper prints ∞ and 0; ours is what the client alone"
            + " does.");
    LoadTable.write(page, points);
    OperationTable.write(page, rows, NAME);
  }

  private String svg() {
    Map<Setting, List<LoadPoint>> settings = LoadPoint.bySetting(points);
    Legend legend = new Legend();
    legend.bar("ours", BarFill.DARK);
    if (points.stream().anyMatch(LoadPoint::isInPaper)) {
      legend.bar("the paper", BarFill.HOLLOW);
    }
    double top = TOP + legend.height(WIDTH - 2.0 * MARGIN);
    double height = top;
    List<List<BarPanel>> pairs = new ArrayList<>();
    for (Map.Entry<Setting, List<LoadPoint>> each : settings.entrySet()) {
      List<BarPanel> pair = pair(each.getKey(), each.getValue());
      pairs.add(pair);
      height += pair.get(0).height();
    }
    SvgPicture picture = new SvgPicture(WIDTH, (int) Math.ceil(height));
    picture.title(MARGIN, 22, NAME + ": with a cache, at best and at worst");
    legend.draw(picture, MARGIN, TOP, WIDTH - 2.0 * MARGIN);
    double middle = WIDTH / 2.0;
    for (List<BarPanel> pair : pairs) {
      double bottom = top + pair.get(0).height();
      pair.get(0).draw(picture, new Area(MARGIN, top, middle - MARGIN, bottom));
      pair.get(1).draw(picture, new Area(middle + MARGIN, top, WIDTH - MARGIN, bottom));
      top = bottom;
    }
    return picture.xml();
  }

  private static List<BarPanel> pair(Setting setting, List<LoadPoint> points) {
    Map<String, LoadPoint> highest = new LinkedHashMap<>();
    double limit = 0;
    for (LoadPoint point : points) {
      String key = point.load().workload() + " " + point.load().bestOrWorst();
      LoadPoint before = highest.get(key);
      if (before == null || point.rate() > before.rate()) {
        highest.put(key, point);
      }
      limit = isLocal(point) ? limit : Math.max(limit, longest(point.throughput()));
    }
    BarPanel rates =
        new BarPanel(
            setting.label(), "throughput, k flows/s", limit == 0 ? Double.MAX_VALUE : limit);
    BarPanel latencies = new BarPanel(setting.label(), "latency p90, ms", Double.MAX_VALUE);
    String workload = "";
    for (LoadPoint point : highest.values()) {
      if (!point.load().workload().equals(workload)) {
        workload = point.load().workload();
        rates.heading(workload);
        latencies.heading(workload);
      }
      rates.add(label(point), bars(point.throughput(), KILO, isLocal(point) ? NO_MESSAGE : ""));
      latencies.add(label(point), bars(point.high(), 1, ""));
    }
    return List.of(rates, latencies);
  }

  /** Whether the flow sends no message, so that its rate has nothing to do with the store's. */
  private static boolean isLocal(LoadPoint point) {
    return point.load().workload().equals("ls-ucast") && "best".equals(point.load().bestOrWorst());
  }

  private static double longest(@Nullable Point point) {
    if (point == null) {
      return 0;
    }
    Double paper = point.paper();
    return KILO * Math.max(point.value(), paper == null ? 0 : paper);
  }

  private static String label(LoadPoint point) {
    int flows = point.load().flows();
    String bestOrWorst = point.load().bestOrWorst();
    return (bestOrWorst == null ? "" : bestOrWorst + ", ")
        + flows
        + (flows == 1 ? " flow" : " flows");
  }

  /**
   * Ours above the paper's; both have a place, so that the panels beside each other agree.
   *
   * @param without what the paper prints where its number is no number; empty for nothing
   */
  private static List<Bar> bars(@Nullable Point point, double factor, String without) {
    if (point == null) {
      return List.of(without("not measured"), without(without));
    }
    List<Bar> bars = new ArrayList<>();
    bars.add(
        Bar.of(
            point.value() * factor,
            BarFill.DARK,
            LoadPoint.interval(point, factor),
            Rounded.number(point.value() * factor)));
    Double paper = point.paper();
    if (paper != null) {
      String text = Rounded.printed(paper * factor);
      bars.add(Bar.of(paper * factor, BarFill.HOLLOW, null, text));
    } else {
      bars.add(without(without));
    }
    return bars;
  }

  private static Bar without(String text) {
    return new Bar(List.of(), null, text);
  }
}
