package io.lockstep.bench.cluster;

import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.openflow.LoadFigures;
import java.util.List;
import java.util.Locale;

/**
 * Flow set-ups of two builds in one round. Names of the components are the keys of the result file.
 *
 * @param round from 1
 * @param before the windows of the older build, {@code after} those of the newer one
 * @param perSecondRatio set-ups a second of {@code after} over those of {@code before}
 * @param cpuRatio the same of the CPU time of a set-up, nodes and load
 */
record SetupRatio(
    int round, int inFlight, Build before, Build after, double perSecondRatio, double cpuRatio) {

  static SetupRatio of(int round, int inFlight, List<LoadFigures> before, List<LoadFigures> after) {
    Build older = Build.of(before);
    Build newer = Build.of(after);
    return new SetupRatio(
        round,
        inFlight,
        older,
        newer,
        rounded(newer.perSecond / older.perSecond, 10_000),
        rounded(newer.cpuMicros / older.cpuMicros, 10_000));
  }

  /**
   * One build over all its windows of a round.
   *
   * @param p99Micros median of the windows
   * @param cpuMicros CPU time of a set-up, nodes and load
   * @param lost set-ups without an answer
   */
  record Build(double perSecond, double p99Micros, double cpuMicros, long lost) {
    static Build of(List<LoadFigures> windows) {
      List<Figures> figures = windows.stream().map(LoadFigures::figures).toList();
      return new Build(
          rounded(figures.stream().mapToDouble(Figures::perSecond).average().orElse(0), 10),
          Figures.median(figures.stream().mapToDouble(Figures::p99Micros).toArray()),
          rounded(
              windows.stream()
                  .mapToDouble(one -> one.cpuPerFlow().allCpuMicros())
                  .average()
                  .orElse(0),
              100),
          figures.stream().mapToLong(Figures::lost).sum());
    }
  }

  String line() {
    return String.format(
        Locale.ROOT,
        "round %d, %d in flight: %.0f and %.0f set-ups/s (%.3f), CPU %.1f and %.1f us each (%.3f),"
            + " lost %d and %d",
        round,
        inFlight,
        before.perSecond,
        after.perSecond,
        perSecondRatio,
        before.cpuMicros,
        after.cpuMicros,
        cpuRatio,
        before.lost,
        after.lost);
  }

  private static double rounded(double value, double parts) {
    return Math.round(value * parts) / parts;
  }
}
