package io.lockstep.bench.peers;

import io.lockstep.bench.measure.WarmUp;

/**
 * How a variant was warmed up before its points, for the record. Names of the components are keys
 * of the file.
 *
 * @param seconds how long it took, at 64 flows
 * @param steady whether it had stopped getting better; else it ended at the limit
 * @param flowsPerSecond of its last seconds
 * @param cpuMicrosPerFlow of its last seconds
 */
record WarmedUp(
    String store,
    String workload,
    String variant,
    boolean durable,
    int round,
    int seconds,
    boolean steady,
    double flowsPerSecond,
    double cpuMicrosPerFlow) {

  static WarmedUp of(PointKey first, WarmUp warmUp) {
    WarmUp.Slice last = warmUp.last();
    return new WarmedUp(
        first.store(),
        first.workload(),
        first.variant(),
        first.durable(),
        first.round(),
        warmUp.seconds(),
        warmUp.isSteady(),
        Math.round(last.flowsPerSecond()),
        Math.round(last.cpuMicrosPerFlow() * 10) / 10.0);
  }
}
