package io.lockstep.bench.page;

import io.lockstep.bench.drawing.Interval;
import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.figures.FigureRow.Point;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The values of one figure that were measured together: one variant at one number of flows.
 *
 * @param load what was measured
 * @param throughput flows a second
 * @param median latency in milliseconds
 * @param high latency in milliseconds that 90 % of the flows keep
 */
record LoadPoint(
    Load load, @Nullable Point throughput, @Nullable Point median, @Nullable Point high) {
  private static final Comparator<LoadPoint> ORDER =
      Comparator.comparing((LoadPoint point) -> point.load().setting())
          .thenComparingInt(point -> VariantOrder.place(point.load().variant()))
          .thenComparing(point -> Objects.requireNonNullElse(point.load().bestOrWorst(), ""))
          .thenComparingInt(point -> point.load().flows());

  /** Everything that tells points of a figure from each other. */
  record Load(
      String workload, String variant, Setting setting, @Nullable String bestOrWorst, int flows) {}

  /** The points of a figure, by workload (as rows have them), setting, variant, case and flows. */
  static List<LoadPoint> of(List<FigureRow> rows, String figure) {
    Map<Load, Map<String, Point>> points = new LinkedHashMap<>();
    for (FigureRow row : rows) {
      if (row instanceof Point point && point.figure().equals(figure)) {
        Load load =
            new Load(
                point.workload(),
                point.variant(),
                new Setting(point.mode(), point.durable()),
                point.bestOrWorst(),
                point.flows());
        points.computeIfAbsent(load, at -> new LinkedHashMap<>()).put(point.metric(), point);
      }
    }
    List<LoadPoint> all = new ArrayList<>();
    points.forEach(
        (load, values) ->
            all.add(
                new LoadPoint(
                    load,
                    values.get("flowsPerSecond"),
                    values.get("p50Millis"),
                    values.get("p90Millis"))));
    List<String> workloads = all.stream().map(point -> point.load().workload()).distinct().toList();
    all.sort(
        Comparator.comparingInt((LoadPoint point) -> workloads.indexOf(point.load().workload()))
            .thenComparing(ORDER));
    return all;
  }

  /** The same points, for each setting in its order. */
  static Map<Setting, List<LoadPoint>> bySetting(List<LoadPoint> points) {
    Map<Setting, List<LoadPoint>> settings = new TreeMap<>();
    for (LoadPoint point : points) {
      settings.computeIfAbsent(point.load().setting(), at -> new ArrayList<>()).add(point);
    }
    return settings;
  }

  /** The interval of a value in another unit; null where there is none. */
  static @Nullable Interval interval(@Nullable Point point, double factor) {
    Interval interval = point == null ? null : Interval.of(point.low(), point.high());
    return interval == null ? null : interval.times(factor);
  }

  /** Flows a second; not a number where that was not measured. */
  double rate() {
    return throughput == null ? Double.NaN : throughput.value();
  }

  /** Whether the paper prints one of the values. */
  boolean isInPaper() {
    return isInPaper(throughput) || isInPaper(median) || isInPaper(high);
  }

  private static boolean isInPaper(@Nullable Point point) {
    return point != null && point.paper() != null;
  }

  /** Why the values differ from the paper's; each reason once. */
  String reason() {
    List<String> reasons = new ArrayList<>();
    for (Point point : new Point[] {throughput, median, high}) {
      if (point != null && !point.reason().isEmpty() && !reasons.contains(point.reason())) {
        reasons.add(point.reason());
      }
    }
    return String.join("; ", reasons);
  }
}
