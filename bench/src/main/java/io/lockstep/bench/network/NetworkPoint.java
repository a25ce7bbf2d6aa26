package io.lockstep.bench.network;

import io.lockstep.dataplane.topology.Topology;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One phase of one run. Names of the components are keys of the result file. All figures are null
 * where the phase did not end; one alone is null where it has no meaning in the phase.
 *
 * @param switches that the network has
 * @param topology as the command line has it, with the number of switches that was asked for
 * @param domains of the switches
 * @param links cables between switches; a node knows each in both directions
 * @param run number of the run with this network, from 1
 * @param phase connect, mastered, linked, rest, kill, stop or handBack
 * @param seconds length of the phase; phases follow each other
 * @param cpuSeconds CPU time of the three nodes in the phase, user and system
 * @param residentMegabytes memory of the largest node at the end of the phase, in 10^6 bytes
 * @param instancesPerSecond decisions of the store in the phase, over its length
 * @param newFlows sent in the phase
 * @param lostNewFlows those of them that never arrived
 * @param p99NewFlowMillis of those that arrived: 99 of 100 took at most so long
 * @param newMasterMillis until the first switch had its new master
 * @param allMasteredMillis until the last switch had its new master
 */
record NetworkPoint(
    int switches,
    String topology,
    int domains,
    int links,
    int hosts,
    int run,
    String phase,
    @Nullable Double seconds,
    @Nullable Double cpuSeconds,
    @Nullable Double residentMegabytes,
    @Nullable Double instancesPerSecond,
    @Nullable Long newFlows,
    @Nullable Long lostNewFlows,
    @Nullable Double p99NewFlowMillis,
    @Nullable Double newMasterMillis,
    @Nullable Double allMasteredMillis) {

  /** What all phases of a run have in common. */
  static NetworkPoint of(Topology network, String topology, int run) {
    return new NetworkPoint(
        network.switches().size(),
        topology,
        network.domains().size(),
        network.links().size(),
        network.hosts().size(),
        run,
        "",
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null,
        null);
  }

  /** What a phase says of the nodes. */
  record Use(double seconds, double cpuSeconds, double residentMegabytes, double instances) {}

  /** What a phase says of new flows; {@code p99Millis} is null where none arrived. */
  record Flows(long sent, long lost, @Nullable Double p99Millis) {}

  /** When switches had new masters. */
  record Masters(double firstMillis, double allMillis) {}

  /** A phase that ended. */
  NetworkPoint ended(Use use, @Nullable Flows flows, @Nullable Masters masters) {
    return new NetworkPoint(
        switches,
        topology,
        domains,
        links,
        hosts,
        run,
        phase,
        rounded(use.seconds, 1000),
        rounded(use.cpuSeconds, 100),
        rounded(use.residentMegabytes, 10),
        rounded(use.instances / Math.max(use.seconds, 1e-3), 10),
        flows == null ? null : (Long) flows.sent,
        flows == null ? null : (Long) flows.lost,
        flows == null ? null : flows.p99Millis,
        masters == null ? null : (Double) masters.firstMillis,
        masters == null ? null : (Double) masters.allMillis);
  }

  /** A phase without figures: as it is reported where it does not end. */
  NetworkPoint in(String newPhase) {
    return new NetworkPoint(
        switches, topology, domains, links, hosts, run, newPhase, null, null, null, null, null,
        null, null, null, null);
  }

  static double rounded(double value, int parts) {
    return Math.round(value * parts) / (double) parts;
  }

  /** One line for people. */
  String line() {
    StringBuilder line =
        new StringBuilder(
            String.format(Locale.ROOT, "%4d switches  run %d  %-9s", switches, run, phase));
    if (seconds == null) {
      return line.append(" did not end").toString();
    }
    line.append(
        String.format(
            Locale.ROOT,
            " %8.3f s  cpu %6.2f s  resident %5.1f MB  %6.1f instances/s",
            seconds,
            cpuSeconds,
            residentMegabytes,
            instancesPerSecond));
    if (newFlows != null) {
      String p99 = p99NewFlowMillis == null ? "-" : p99NewFlowMillis + " ms";
      line.append("  new flows ").append(newFlows).append(", lost ").append(lostNewFlows);
      line.append(", p99 ").append(p99);
    }
    if (newMasterMillis != null) {
      line.append("  new master ").append(newMasterMillis).append(" ms, all ");
      line.append(allMasteredMillis).append(" ms");
    }
    return line.toString();
  }
}
