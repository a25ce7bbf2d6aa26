package io.lockstep.bench.evaluation;

import io.lockstep.bench.replay.ReplayPoint;
import io.lockstep.bench.replay.ReplayResult;
import java.util.List;
import java.util.Locale;

/** Estimates how long a run of figures takes from here on. Used by one thread. */
final class FiguresTime {
  /** A virtual machine starts, connects and fills its tables. */
  private static final double START_SECONDS = 3;

  /** Of a flow at a time, before any is measured. */
  private static final double GUESSED_RATE = 800;

  private static final double FLOWS_THAT_HELP = 16;

  private final FigureGrid grid;
  private final ForkFile file;

  FiguresTime(FigureGrid grid, ForkFile file) {
    this.grid = grid;
    this.file = file;
  }

  /** Such as {@code 1 h 20 min}. */
  String left() {
    long minutes = Math.round(Math.ceil(seconds(grid.series()) / 60));
    return minutes < 60
        ? minutes + " min"
        : String.format(Locale.ROOT, "%d h %d min", minutes / 60, minutes % 60);
  }

  /** Of all forks that the file lacks. Saturation is taken for one more count. */
  double seconds(List<FigureGrid.Series> some) {
    double seconds = 0;
    for (FigureGrid.Series series : some) {
      for (PaperCurve curve : grid.curves()) {
        for (int flows : series.flows()) {
          seconds += left(curve, series, flows, grid.forks(flows));
        }
        if (series.toSaturation()) {
          seconds += left(curve, series, 2 * Saturation.FIRST, grid.forks());
        }
      }
    }
    return seconds;
  }

  private double left(PaperCurve curve, FigureGrid.Series series, int flows, int forks) {
    ReplayPoint point = curve.point(series.mode(), series.durable(), flows);
    List<ReplayResult> done = file.of(point);
    double rate =
        done.stream()
            .mapToDouble(ReplayResult::flowsPerSecond)
            .average()
            .orElse(GUESSED_RATE * Math.min(flows, FLOWS_THAT_HELP));
    double least = grid.leastSeconds();
    double most = grid.mostSeconds();
    double runs = grid.runsOfFork(forks);
    double measuring = Math.min(most, Math.max(least, runs / Math.max(1, rate)));
    return Math.max(0, forks - done.size()) * (START_SECONDS + grid.warmUpSeconds() + measuring);
  }
}
