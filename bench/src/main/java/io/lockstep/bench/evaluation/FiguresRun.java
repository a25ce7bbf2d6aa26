package io.lockstep.bench.evaluation;

import io.lockstep.bench.replay.ReplayCluster;
import io.lockstep.bench.replay.ReplayFork;
import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import io.lockstep.bench.runs.BenchException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Measures what a grid has and a file has not. In each round every curve has its turn, so that a
 * noisy minute slows all of them alike. Its methods block; used by one thread.
 */
final class FiguresRun {
  private final FigureGrid grid;
  private final ForkFile file;
  private final Path directory;
  private final PrintWriter print;
  private final ClusterStarter starter;
  private final FiguresTime time;

  /** Points that are measured so far in this run, by how many forks each has had its turn. */
  private final Map<ReplayPoint, Integer> turns = new HashMap<>();

  /** Starts the cluster of one durability. */
  interface ClusterStarter {
    ReplayCluster start(boolean durable) throws BenchException, IOException;
  }

  /** Comes after each fork: what is known so far can be shown. */
  interface Progress {
    void measured() throws BenchException;
  }

  FiguresRun(
      FigureGrid grid, ForkFile file, Path directory, PrintWriter print, ClusterStarter starter) {
    this.grid = grid;
    this.file = file;
    this.directory = directory;
    this.print = print;
    this.starter = starter;
    this.time = new FiguresTime(grid, file);
  }

  /**
   * Measures all.
   *
   * @throws BenchException at the first failure; what was measured before is in the file
   */
  void run(Progress progress) throws BenchException, IOException {
    print.println("about " + time.left() + " left");
    print.flush();
    for (boolean durable : new boolean[] {false, true}) {
      List<FigureGrid.Series> some =
          grid.series().stream().filter(one -> one.durable() == durable).toList();
      if (!some.isEmpty() && time.seconds(some) > 0) {
        try (ReplayCluster cluster = starter.start(durable)) {
          fork(1).warm(cluster, durable, directory);
          for (FigureGrid.Series one : some) {
            run(one, cluster, progress);
          }
        }
      }
    }
  }

  private void run(FigureGrid.Series series, ReplayCluster cluster, Progress progress)
      throws BenchException, IOException {
    for (List<Integer> round : grid.rounds(series)) {
      for (int flows : round) {
        for (PaperCurve curve : grid.curves()) {
          measure(curve, series, flows, grid.forks(flows), cluster, progress);
        }
      }
    }
    if (series.toSaturation()) {
      saturate(series, cluster, progress);
    }
  }

  private void saturate(FigureGrid.Series series, ReplayCluster cluster, Progress progress)
      throws BenchException, IOException {
    Map<PaperCurve, Integer> saturations = new HashMap<>();
    for (PaperCurve curve : grid.curves()) {
      Saturation saturation = new Saturation();
      for (OptionalInt next = saturation.next(); next.isPresent(); next = saturation.next()) {
        int flows = next.getAsInt();
        ReplayPoint point = curve.point(series.mode(), series.durable(), flows);
        if (file.of(point).size() <= saturation.looks(flows)) {
          measure(curve, series, flows, grid.forks(), cluster, progress);
        }
        saturation.add(
            flows, saturation.looks(flows) == 0 ? mean(file.of(point)) : best(file.of(point)));
      }
      saturations.put(curve, saturation.flows());
    }
    for (int round = 0; round < grid.forks(); round++) {
      for (PaperCurve curve : grid.curves()) {
        int flows = saturations.getOrDefault(curve, Saturation.FIRST);
        ReplayPoint point = curve.point(series.mode(), series.durable(), flows);
        if (file.of(point).size() < grid.forks()) {
          measure(curve, series, flows, grid.forks(), cluster, progress);
        }
      }
    }
  }

  private static double mean(List<ReplayResult> results) {
    return results.stream().mapToDouble(ReplayResult::flowsPerSecond).average().orElse(0);
  }

  private static double best(List<ReplayResult> results) {
    return results.stream().mapToDouble(ReplayResult::flowsPerSecond).max().orElse(0);
  }

  private ReplayFork fork(int ofForks) {
    return new ReplayFork(
        grid.runsOfFork(ofForks),
        grid.leastSeconds(),
        grid.mostSeconds(),
        grid.warmUpSeconds(),
        "");
  }

  /** Measures one fork of a point, unless an earlier run of this file has done so. */
  private void measure(
      PaperCurve curve,
      FigureGrid.Series series,
      int flows,
      int ofForks,
      ReplayCluster cluster,
      Progress progress)
      throws BenchException, IOException {
    ReplayPoint point = curve.point(series.mode(), series.durable(), flows);
    int turn = turns.merge(point, 1, Integer::sum);
    if (file.of(point).size() >= turn) {
      return;
    }
    ReplayResult result = fork(ofForks).measure(point, cluster, directory);
    file.add(new ForkFile.Fork(point, result));
    print.printf(
        Locale.ROOT,
        "%-8s %-40s %9.0f flows/s  p90 %8.3f ms  %s left%n",
        curve.figure(),
        point.label(),
        result.flowsPerSecond(),
        result.p90Millis(),
        time.left());
    print.flush();
    progress.measured();
  }
}
