package io.lockstep.bench.evaluation;

import io.lockstep.bench.figures.FigureRow;
import io.lockstep.bench.replay.ReplayMode;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** Makes the rows of measured points, beside the paper's. */
final class PointRows {
  /** Between these the paper's value and ours do not differ in a way that needs a reason. */
  private static final double LEAST_ALIKE = 0.8;

  private static final double MOST_ALIKE = 1.25;

  private PointRows() {}

  /**
   * Rows of all points, in the order of the curves.
   *
   * @param forks of any points; those of one point are one value
   */
  static List<FigureRow> of(List<ForkFile.Fork> forks) {
    Map<ReplayPoint, List<ReplayResult>> byPoint = new LinkedHashMap<>();
    for (ForkFile.Fork fork : forks) {
      byPoint.computeIfAbsent(fork.point(), point -> new ArrayList<>()).add(fork.result());
    }
    List<FigureRow> rows = new ArrayList<>();
    for (PaperCurve curve : PaperCurve.ALL) {
      for (boolean durable : new boolean[] {false, true}) {
        for (ReplayMode mode : ReplayMode.values()) {
          List<ReplayPoint> points =
              byPoint.keySet().stream()
                  .filter(point -> point.equals(curve.point(mode, durable, point.flows())))
                  .sorted((one, other) -> Integer.compare(one.flows(), other.flows()))
                  .toList();
          int peak = peak(points, byPoint);
          for (ReplayPoint point : points) {
            // The paper replays messages, against replicas that keep their state in memory.
            boolean beside = point.flows() == peak && mode == ReplayMode.MESSAGES && !durable;
            add(rows, curve, point, byPoint.get(point), beside);
          }
        }
      }
    }
    return rows;
  }

  /** The flow count with the highest throughput; 0 where there is no point. */
  private static int peak(List<ReplayPoint> points, Map<ReplayPoint, List<ReplayResult>> results) {
    int peak = 0;
    double highest = -1;
    for (ReplayPoint point : points) {
      double rate = mean(results.get(point), ReplayResult::flowsPerSecond).mean();
      if (rate > highest) {
        highest = rate;
        peak = point.flows();
      }
    }
    return peak;
  }

  private static Estimate mean(
      @Nullable List<ReplayResult> results, ToDoubleFunction<ReplayResult> value) {
    List<ReplayResult> all = results == null ? List.of() : results;
    return Estimate.of(all.stream().map(value::applyAsDouble).toList());
  }

  private static void add(
      List<FigureRow> rows,
      PaperCurve curve,
      ReplayPoint point,
      @Nullable List<ReplayResult> results,
      boolean besideThePaper) {
    PaperCurve.Printed paper = besideThePaper ? curve.paper() : PaperCurve.Printed.NOTHING;
    String met = met(curve, results == null ? List.of() : results);
    rows.add(
        row(
            curve,
            point,
            "flowsPerSecond",
            "flows/s",
            mean(results, ReplayResult::flowsPerSecond),
            paper.flowsPerSecond(),
            met));
    rows.add(
        row(curve, point, "p50Millis", "ms", mean(results, ReplayResult::p50Millis), null, met));
    rows.add(
        row(
            curve,
            point,
            "p90Millis",
            "ms",
            mean(results, ReplayResult::p90Millis),
            paper.p90Millis(),
            met));
  }

  private static FigureRow.Point row(
      PaperCurve curve,
      ReplayPoint point,
      String metric,
      String unit,
      Estimate value,
      @Nullable Double paper,
      String met) {
    Double ratio = paper == null ? null : value.mean() / paper;
    List<String> reasons = new ArrayList<>();
    if (ratio != null && (ratio < LEAST_ALIKE || ratio > MOST_ALIKE)) {
      reasons.add(reason(unit.equals("ms") ? 1 / ratio : ratio));
    }
    if (!met.isEmpty()) {
      reasons.add(met);
    }
    return new FigureRow.Point(
        curve.figure(),
        curve.workload(),
        curve.variant(),
        point.mode().label(),
        point.durable(),
        curve.bestOrWorst(),
        point.flows(),
        metric,
        value.mean(),
        value.low(),
        value.high(),
        unit,
        paper,
        ratio,
        String.join("; ", reasons));
  }

  /**
   * Why ours is faster or slower.
   *
   * @param better above 1 where ours is faster
   */
  private static String reason(double better) {
    return better > 1
        ? "faster: operations of flows that are under way together share a request and an instance"
            + " of consensus, and processors are newer"
        : "slower: the load and three replicas share "
            + Runtime.getRuntime().availableProcessors()
            + " cores of one machine, the paper had four machines of eight";
  }

  /** What its flows met that the throughput does not show. */
  private static String met(PaperCurve curve, List<ReplayResult> results) {
    if (curve.asksNothing()) {
      return "no message goes to the store: this is the speed of the loop itself, for which the"
          + " paper prints infinity";
    }
    long runs = results.stream().mapToLong(ReplayResult::runs).sum();
    long conflicts = results.stream().mapToLong(ReplayResult::conflicts).sum();
    long gaveUp = results.stream().mapToLong(ReplayResult::gaveUp).sum();
    if (conflicts == 0 || runs == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "%.2f refused writes for each flow; %.1f %% of the flows gave up after six attempts and"
            + " are not counted",
        (double) conflicts / runs,
        100.0 * gaveUp / runs);
  }
}
