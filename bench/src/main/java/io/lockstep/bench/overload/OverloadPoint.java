package io.lockstep.bench.overload;

import java.util.Locale;

/**
 * One measured row. Names of the components are keys of the result file.
 *
 * @param switches that sent without pause
 * @param durable whether the store kept its state on disk
 * @param openFlow 1.0 or 1.3
 * @param ports one or many
 * @param mode latency or throughput
 * @param limits on or off
 * @param seconds length of the measured window
 * @param responsesPerSecond packet-ins that were answered with a flow-mod or packet-out
 * @param cpuMicrosPerResponse CPU time of the three nodes together over the responses
 * @param droppedCounted packet-ins that the nodes counted as dropped in the window
 * @param unanswered packet-ins that were sent in the window, less the responses in it; negative
 *     where more was on its way before than after it
 * @param leaderChanges of the store in the window
 * @param leasesLost how often a node stepped down in the window
 * @param quietP99Millis 99 of 100 new flows of the quiet switch took at most so long
 * @param residentMegabytes memory of the largest node at the end, in 10^6 bytes
 */
record OverloadPoint(
    int switches,
    boolean durable,
    String openFlow,
    String ports,
    String mode,
    String limits,
    double seconds,
    double responsesPerSecond,
    double cpuMicrosPerResponse,
    long droppedCounted,
    long unanswered,
    long leaderChanges,
    long leasesLost,
    double quietP99Millis,
    double residentMegabytes) {

  /** What was read at the begin and at the end of a window. */
  record Reading(
      long nanos,
      long sent,
      long answered,
      long cpuNanos,
      long dropped,
      long leaderChanges,
      long leasesLost) {}

  static OverloadPoint of(
      OverloadRow row, Reading from, Reading to, double quietP99Millis, double residentMegabytes) {
    double seconds = (to.nanos - from.nanos) / 1e9;
    long answered = to.answered - from.answered;
    return new OverloadPoint(
        row.switches(),
        row.durable(),
        row.protocol().label,
        row.manyPorts() ? "many" : "one",
        row.mode().label,
        row.limits() ? "on" : "off",
        tenth(seconds),
        tenth(answered / seconds),
        tenth((to.cpuNanos - from.cpuNanos) / 1e3 / Math.max(1, answered)),
        to.dropped - from.dropped,
        to.sent - from.sent - answered,
        to.leaderChanges - from.leaderChanges,
        to.leasesLost - from.leasesLost,
        tenth(quietP99Millis),
        tenth(residentMegabytes));
  }

  private static double tenth(double value) {
    return Math.round(value * 10) / 10.0;
  }

  /** The head of the table for people. */
  static String head() {
    return "switches state  version ports mode       limits  responses/s us each     dropped"
        + "  unanswered leaders leases quiet p99     MB";
  }

  /** One line of it. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%8d %-6s %-7s %-5s %-10s %-6s %12.1f %7.1f %11d %11d %7d %6d %6.1f ms %6.1f",
        switches,
        durable ? "disk" : "memory",
        openFlow,
        ports,
        mode,
        limits,
        responsesPerSecond,
        cpuMicrosPerResponse,
        droppedCounted,
        unanswered,
        leaderChanges,
        leasesLost,
        quietP99Millis,
        residentMegabytes);
  }
}
