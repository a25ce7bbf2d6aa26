package io.lockstep.deploy.status;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.admin.SelfReport;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The table of nodes: a row for each report, then one for each member of the cluster without a
 * report. Pure.
 */
final class NodeTable {
  private static final String LEGEND =
      "LEADER: the replica that proposes the order of operations. REACHES: how many replicas this"
          + " one reaches, itself included.";

  private NodeTable() {}

  /** The table, what its columns mean, and what to do about members without a report. */
  static List<String> lines(ClusterStatus status) {
    TextTable table =
        new TextTable("NODE", "ADMIN", "READY", "REPLICA", "LEADER", "INSTANCE", "REACHES", "UP");
    for (ClusterStatus.Answer answer : status.answers()) {
      NodeReport report = answer.report();
      ReplicaReport replica = report.replica();
      String why = report.notReadyBecause();
      table.row(
          report.node(),
          answer.endpoint(),
          ready(status, report, why),
          replica == null ? "-" : replica.phase(),
          leader(replica),
          replica == null ? "-" : replica.lastInstance(),
          reaches(replica),
          Units.uptime(report.uptimeMillis()));
    }
    List<SilentMembers.Silent> silent = SilentMembers.of(status);
    for (SilentMembers.Silent one : silent) {
      String drained = isDrained(status, one.id()) ? ", drained" : "";
      SelfReport self = one.published() == null ? null : one.published().self();
      SelfReport.ReplicaSelf replica = self == null ? null : self.replica();
      table.row(
          one.id(),
          one.source(),
          one.ready() + drained,
          replica == null ? "-" : replica.phase(),
          replica == null || replica.leader() == null ? "-" : replica.leader(),
          replica == null ? "-" : replica.lastInstance(),
          replica == null ? "-" : reaches(replica.reaches().size(), replica.lost()),
          self == null ? "-" : Units.uptime(self.uptimeMillis()));
    }
    List<String> lines = new ArrayList<>(table.lines());
    lines.add(LEGEND);
    lines.addAll(SilentMembers.notes(silent, status.usualSilent()));
    return lines;
  }

  private static String ready(
      ClusterStatus status, NodeReport report, @Nullable String notReadyBecause) {
    String ready =
        report.ready() ? "yes" : "no: " + (notReadyBecause == null ? "unknown" : notReadyBecause);
    return ready + (isDrained(status, report.node()) ? ", drained" : "");
  }

  /** As any of the nodes that answered knows. */
  static boolean isDrained(ClusterStatus status, String node) {
    return status.answers().stream()
        .flatMap(answer -> answer.report().nodes().stream())
        .anyMatch(member -> member.id().equals(node) && member.drained());
  }

  private static String leader(@Nullable ReplicaReport replica) {
    return replica == null || replica.leader() < 0 ? "-" : name(replica, replica.leader());
  }

  /** A node of an earlier release does not report the names: then the numbers stand for them. */
  private static String name(ReplicaReport replica, int id) {
    return id < replica.names().size() ? replica.names().get(id) : String.valueOf(id);
  }

  private static String reaches(@Nullable ReplicaReport replica) {
    if (replica == null) {
      return "-";
    }
    int all = replica.names().size();
    if (all == 0) {
      return replica.reachable().stream().map(String::valueOf).collect(Collectors.joining(","));
    }
    List<String> lost = new ArrayList<>();
    for (int id = 0; id < all; id++) {
      if (!replica.reachable().contains(id)) {
        lost.add(name(replica, id));
      }
    }
    return reaches(all - lost.size(), lost);
  }

  private static String reaches(int reached, List<String> lost) {
    return reached
        + " of "
        + (reached + lost.size())
        + (lost.isEmpty() ? "" : ", not " + String.join(" ", lost));
  }
}
