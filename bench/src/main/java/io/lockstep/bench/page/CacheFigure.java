package io.lockstep.bench.page;

import io.lockstep.bench.drawing.Area;
import io.lockstep.bench.drawing.Bar;
import io.lockstep.bench.drawing.BarFill;
import io.lockstep.bench.drawing.BarPanel;
import io.lockstep.bench.drawing.Interval;
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
import java.util.Objects;
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

  /** Bars that are longer than the longest of the paper by this factor are cut. */
  private static final double CUT = 10;

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
    Map<Setting, List<LoadPoint>> settings = new LinkedHashMap<>();
    for (LoadPoint point : points) {
      settings.computeIfAbsent(point.load().setting(), at -> new ArrayList<>()).add(point);
    }
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
    double longest = 0;
    Map<String, LoadPoint> highest = new LinkedHashMap<>();
    for (LoadPoint point : points) {
      Double paper = point.throughput() == null ? null : point.throughput().paper();
      longest = Math.max(longest, paper == null ? 0 : paper * KILO);
      String key = point.load().workload() + " " + point.load().bestOrWorst();
      LoadPoint before = highest.get(key);
      if (before == null || point.rate() > before.rate()) {
        highest.put(key, point);
      }
    }
    BarPanel rates =
        new BarPanel(
            setting.label(),
            "throughput, k flows/s",
            longest == 0 ? Double.MAX_VALUE : CUT * longest);
    BarPanel latencies = new BarPanel("", "latency p90, ms", Double.MAX_VALUE);
    String workload = "";
    for (LoadPoint point : highest.values()) {
      if (!point.load().workload().equals(workload)) {
        workload = point.load().workload();
        rates.heading(workload);
        latencies.heading(workload);
      }
      String label = label(point);
      boolean noMessage = workload.equals("ls-ucast") && label.startsWith("best");
      rates.add(label, bars(point.throughput(), KILO, noMessage ? "∞: no message" : ""));
      latencies.add(label, bars(point.high(), 1, ""));
    }
    return List.of(rates, latencies);
  }

  private static String label(LoadPoint point) {
    int flows = point.load().flows();
    return Objects.requireNonNullElse(point.load().bestOrWorst(), "")
        + ", "
        + flows
        + (flows == 1 ? " flow" : " flows");
  }

  /**
   * Ours above the paper's.
   *
   * @param without what the paper prints where its number is no number; empty for nothing
   */
  private static List<Bar> bars(@Nullable Point point, double factor, String without) {
    if (point == null) {
      return List.of(new Bar(List.of(), null, "not measured"));
    }
    Interval interval = Interval.of(point.low(), point.high());
    List<Bar> bars = new ArrayList<>();
    bars.add(
        Bar.of(
            point.value() * factor,
            BarFill.DARK,
            interval == null ? null : interval.times(factor),
            Rounded.number(point.value() * factor)));
    Double paper = point.paper();
    if (paper != null) {
      String text = Rounded.printed(paper * factor);
      bars.add(Bar.of(paper * factor, BarFill.HOLLOW, null, text));
    } else if (!without.isEmpty()) {
      bars.add(new Bar(List.of(), null, without));
    }
    return bars;
  }
}
