package io.lockstep.bench.balancer;

import io.lockstep.bench.openflow.LoadFigures;
import java.util.Locale;

/**
 * One measured point. Names of the components are the keys of the result file.
 *
 * @param inFlight connections that wait for their member at most
 * @param durable whether the nodes keep their state on disk
 * @param perSecond connections that were set up
 * @param p50Micros from the packet-in of the SYN to the first flow-mod of its connection
 * @param serverCpuMicros CPU time of the three nodes together for each connection
 * @param lost connections whose packet-in was not answered in time
 * @param warm whether connections before had stopped getting better
 */
public record BalancerPoint(
    int inFlight,
    boolean durable,
    double perSecond,
    double p50Micros,
    double p99Micros,
    double serverCpuMicros,
    long lost,
    boolean warm) {

  static BalancerPoint of(boolean durable, boolean warm, LoadFigures figures) {
    Double cpu = figures.cpuPerFlow().serverCpuMicros();
    return new BalancerPoint(
        figures.figures().inFlight(),
        durable,
        figures.figures().perSecond(),
        figures.figures().p50Micros(),
        figures.figures().p99Micros(),
        cpu == null ? 0 : cpu,
        figures.figures().lost() + figures.misdirected(),
        warm);
  }

  /** One line for people. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%s, in flight %3d: %9.1f/s  p50 %.0f us  p99 %.0f us  %.1f us CPU of the nodes  lost %d",
        durable ? "on disk  " : "in memory",
        inFlight,
        perSecond,
        p50Micros,
        p99Micros,
        serverCpuMicros,
        lost);
  }
}
