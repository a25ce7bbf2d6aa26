package io.lockstep.demo.emulate;

import io.lockstep.dataplane.network.NetworkStats;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.demo.emulate.Progress.Connected;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What is written at the end.
 *
 * @param last how far the network was then
 * @param stats its sums
 * @param connectedMillis when all switches were connected to all controllers for the first time;
 *     null for never
 * @param masteredMillis when all of them had a master, too
 */
record Summary(
    Topology topology,
    Progress last,
    NetworkStats stats,
    @Nullable Long connectedMillis,
    @Nullable Long masteredMillis) {

  /** The lines. */
  List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        String.format(
            Locale.ROOT, "%s for %s s", describe(topology), ProgressLog.seconds(last.millis())));
    for (Connected each : last.controllers()) {
      String why = each.trouble() == null ? "" : " (" + each.trouble() + ")";
      boolean all = each.switches() == last.switches();
      lines.add(
          "  "
              + each.controller()
              + ": at the end "
              + each.switches()
              + " of "
              + last.switches()
              + " switches connected"
              + (all ? "" : why));
    }
    lines.add("  all connected: " + after(connectedMillis) + "; all with a master: " + masters());
    lines.add(
        String.format(
            Locale.ROOT,
            "  %d frames carried, %d lost on cables, %d ended in switches",
            stats.framesCarried(),
            stats.framesLost(),
            stats.packetsDropped()));
    lines.add(
        String.format(
            Locale.ROOT,
            "  %d packet-ins, %d packet-outs, %d flow-mods, %d errors, %d connections made",
            stats.packetInsSent(),
            stats.packetOuts(),
            stats.flowMods(),
            stats.errorsSent(),
            stats.controllerConnections()));
    if (last.traffic().pings().sent() > 0) {
      lines.add("  pings: " + last.traffic().pings().text());
    }
    return lines;
  }

  private String masters() {
    return last.mastered() == null
        ? "- (no controller took a role)"
        : after(masteredMillis) + ", at the end " + last.mastered() + " with one";
  }

  private static String after(@Nullable Long millis) {
    return millis == null ? "never" : "after " + ProgressLog.seconds(millis) + " s";
  }

  /** A network in words. */
  static String describe(Topology topology) {
    return String.format(
        Locale.ROOT,
        "%s: %d switches, %d links, %d hosts",
        topology.name(),
        topology.switches().size(),
        topology.links().size(),
        topology.hosts().size());
  }
}
