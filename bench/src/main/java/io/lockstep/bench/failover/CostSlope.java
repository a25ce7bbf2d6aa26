package io.lockstep.bench.failover;

import java.util.List;

/**
 * Whether what a replica holds grows while keys are written again: a straight line through its live
 * memory in the phase {@code churn}. Names of the components are keys of the result file.
 *
 * @param phase always {@code slope}
 * @param replica number
 * @param looks through which the line goes
 * @param seconds from the first to the last of them
 * @param snapshots made meanwhile
 * @param firstLiveMegabytes at the first look, in 10^6 bytes
 * @param lastLiveMegabytes at the last
 * @param megabytesPerMinute slope of the line; 0 with fewer than two looks
 */
record CostSlope(
    String phase,
    int replica,
    int looks,
    long seconds,
    long snapshots,
    double firstLiveMegabytes,
    double lastLiveMegabytes,
    double megabytesPerMinute) {

  /** The line through the looks at one replica, oldest first; at least one. */
  static CostSlope of(int replica, List<CostPoint> looks) {
    CostPoint first = looks.get(0);
    CostPoint last = looks.get(looks.size() - 1);
    double meanSecond = looks.stream().mapToLong(CostPoint::second).average().orElseThrow();
    double meanLive = looks.stream().mapToDouble(CostPoint::liveMegabytes).average().orElseThrow();
    double products = 0;
    double squares = 0;
    for (CostPoint look : looks) {
      double seconds = look.second() - meanSecond;
      products += seconds * (look.liveMegabytes() - meanLive);
      squares += seconds * seconds;
    }
    return new CostSlope(
        "slope",
        replica,
        looks.size(),
        last.second() - first.second(),
        last.snapshots() - first.snapshots(),
        first.liveMegabytes(),
        last.liveMegabytes(),
        squares == 0 ? 0 : 60 * products / squares);
  }

  /** One line for people. */
  String line() {
    return String.format(
        "slope            replica %d  %d looks in %d s, %d snapshots: live %.1f MB to %.1f MB,"
            + " %.3f MB per minute",
        replica,
        looks,
        seconds,
        snapshots,
        firstLiveMegabytes,
        lastLiveMegabytes,
        megabytesPerMinute);
  }
}
