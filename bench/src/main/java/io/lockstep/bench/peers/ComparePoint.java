package io.lockstep.bench.peers;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.lockstep.bench.compare.Measured;

/**
 * One measured point. Names of the components are the keys of the result file.
 *
 * @param round from 1
 * @param flows at a time
 * @param p50Millis median latency of a flow
 * @param cpuMicrosPerFlow CPU time, user and system, of all processes: three servers and the load
 * @param failedReplaces conditional replaces in the window that failed on their condition
 */
@JsonPropertyOrder({
  "store",
  "workload",
  "variant",
  "durable",
  "round",
  "flows",
  "flowsPerSecond",
  "p50Millis",
  "p90Millis",
  "p99Millis",
  "cpuMicrosPerFlow",
  "failedReplaces"
})
record ComparePoint(
    String store,
    String workload,
    String variant,
    boolean durable,
    int round,
    int flows,
    double flowsPerSecond,
    double p50Millis,
    double p90Millis,
    double p99Millis,
    double cpuMicrosPerFlow,
    long failedReplaces) {

  static ComparePoint of(PointKey key, Measured measured, long cpuNanos) {
    return new ComparePoint(
        key.store(),
        key.workload(),
        key.variant(),
        key.durable(),
        key.round(),
        key.flows(),
        rounded(measured.flows() * 1e9 / measured.windowNanos(), 10),
        rounded(measured.p50Nanos() / 1e6, 1000),
        rounded(measured.p90Nanos() / 1e6, 1000),
        rounded(measured.p99Nanos() / 1e6, 1000),
        rounded(cpuNanos / 1e3 / Math.max(1, measured.flows()), 10),
        measured.failedReplaces());
  }

  private static double rounded(double value, double parts) {
    return Math.round(value * parts) / parts;
  }

  PointKey key() {
    return new PointKey(store, workload, variant, durable, round, flows);
  }
}
