package io.lockstep.bench.peers;

import io.lockstep.bench.compare.Measured;
import java.util.List;

/**
 * One workload in one round, on two builds of our store. Names of the components are the keys of
 * the result file.
 *
 * @param round from 1
 * @param flows at a time
 * @param flowsRatio flows per second of {@code after} over those of {@code before}
 * @param cpuRatio the same of the CPU time of a flow
 */
record ReleasePoint(
    String workload,
    boolean durable,
    int round,
    int flows,
    Build before,
    Build after,
    double flowsRatio,
    double cpuRatio) {

  static ReleasePoint of(
      String workload, boolean durable, int round, int flows, Build before, Build after) {
    return new ReleasePoint(
        workload,
        durable,
        round,
        flows,
        before,
        after,
        rounded(after.flowsPerSecond / before.flowsPerSecond, 10_000),
        rounded(after.cpuMicrosPerFlow / before.cpuMicrosPerFlow, 10_000));
  }

  /**
   * One build over all windows of a round.
   *
   * @param p50Millis median latency of a flow, p99Millis its 99th percentile: medians of the
   *     windows
   * @param cpuMicrosPerFlow CPU time, user and system, of three servers and the load
   */
  record Build(double flowsPerSecond, double p50Millis, double p99Millis, double cpuMicrosPerFlow) {

    static Build of(List<StoreRun.Outcome> windows) {
      List<Measured> measured = windows.stream().map(StoreRun.Outcome::measured).toList();
      long flows = Math.max(1, measured.stream().mapToLong(Measured::flows).sum());
      long nanos = measured.stream().mapToLong(Measured::windowNanos).sum();
      long cpuNanos = windows.stream().mapToLong(StoreRun.Outcome::cpuNanos).sum();
      int half = windows.size() / 2;
      return new Build(
          rounded(flows * 1e9 / nanos, 10),
          rounded(
              measured.stream().mapToLong(Measured::p50Nanos).sorted().toArray()[half] / 1e6, 1000),
          rounded(
              measured.stream().mapToLong(Measured::p99Nanos).sorted().toArray()[half] / 1e6, 1000),
          rounded(cpuNanos / 1e3 / flows, 100));
    }
  }

  private static double rounded(double value, double parts) {
    return Math.round(value * parts) / parts;
  }
}
