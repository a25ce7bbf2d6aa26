package io.lockstep.bench.evaluation;

import io.lockstep.bench.replay.ReplayMode;
import java.util.ArrayList;
import java.util.List;

/**
 * Which points are measured, and by how many forks.
 *
 * @param curves those that are measured
 * @param series combinations of mode and durability
 * @param forks at the flow counts 1, 64 and saturation
 * @param otherForks at the other ones
 * @param runs flows of each point, over all its forks, at least
 * @param leastSeconds each fork goes on so long
 * @param mostSeconds after which a fork begins no further flow
 * @param warmUpSeconds of load before each measurement
 */
record FigureGrid(
    List<PaperCurve> curves,
    List<Series> series,
    int forks,
    int otherForks,
    long runs,
    long leastSeconds,
    long mostSeconds,
    int warmUpSeconds) {
  private static final List<Integer> ALL_FLOWS = List.of(1, 4, 16, 64, 256, 1024);
  private static final List<Integer> FEW_FLOWS = List.of(1, 64);
  private static final long RUNS = 50_000;
  private static final long NO_LIMIT_SECONDS = 3_600;

  /**
   * Points of one mode and durability.
   *
   * @param flows at a time
   * @param toSaturation whether flows are doubled until that gains little
   */
  record Series(ReplayMode mode, boolean durable, List<Integer> flows, boolean toSaturation) {}

  /** The paper's evaluation, which takes some hours. */
  static FigureGrid whole() {
    return new FigureGrid(
        PaperCurve.ALL,
        List.of(
            new Series(ReplayMode.MESSAGES, false, ALL_FLOWS, true),
            new Series(ReplayMode.LIVE, false, FEW_FLOWS, true),
            new Series(ReplayMode.MESSAGES, true, FEW_FLOWS, true),
            new Series(ReplayMode.LIVE, true, FEW_FLOWS, true)),
        5,
        3,
        RUNS,
        1,
        NO_LIMIT_SECONDS,
        5);
  }

  /** All figures in some minutes: one fork, few flow counts, and each point for a short time. */
  static FigureGrid quick() {
    return new FigureGrid(
        PaperCurve.ALL,
        List.of(new Series(ReplayMode.MESSAGES, false, FEW_FLOWS, false)),
        1,
        1,
        RUNS,
        1,
        3,
        3);
  }

  /** The same for some figures only. */
  FigureGrid only(List<String> figures) {
    List<PaperCurve> some =
        curves.stream().filter(curve -> figures.contains(curve.figure())).toList();
    return new FigureGrid(
        some, series, forks, otherForks, runs, leastSeconds, mostSeconds, warmUpSeconds);
  }

  /** Forks of a point with so many flows that is not the saturation. */
  int forks(int flows) {
    return FEW_FLOWS.contains(flows) ? forks : otherForks;
  }

  /** Flows of each of so many forks. */
  long runsOfFork(int ofForks) {
    return (runs + ofForks - 1) / ofForks;
  }

  /** The counts of a series before saturation is looked for, in rounds: a fork each. */
  List<List<Integer>> rounds(Series one) {
    List<List<Integer>> rounds = new ArrayList<>();
    for (int round = 1; round <= forks; round++) {
      int number = round;
      rounds.add(one.flows().stream().filter(flows -> number <= forks(flows)).toList());
    }
    return rounds;
  }
}
