package io.lockstep.deploy.status;

import io.lockstep.deploy.admin.NodeReport;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes a {@link ClusterStatus} for people. */
public final class StatusTable {
  private StatusTable() {}

  /** The lines to print. */
  public static List<String> lines(ClusterStatus status) {
    List<String> lines = new ArrayList<>();
    if (!status.answers().isEmpty()) {
      lines.add(headline(status));
      lines.add("");
      lines.addAll(NodeTable.lines(status));
      lines.addAll(Disagreements.lines(status));
      status.answers().forEach(answer -> damage(lines, answer.report()));
      status.best().ifPresent(report -> network(lines, status, report));
    }
    for (ClusterStatus.Unreachable one : status.unreachable()) {
      lines.add("no answer from " + one.reason());
    }
    return lines;
  }

  private static String headline(ClusterStatus status) {
    NodeReport report = status.best().orElseThrow();
    return "Cluster "
        + report.cluster()
        + ": "
        + (status.quorum()
            ? "quorum"
            : "NO QUORUM - nothing is acknowledged; installed flows go on")
        + ", state "
        + report.state();
  }

  private static void damage(List<String> lines, NodeReport report) {
    NodeReport.ReplicaReport replica = report.replica();
    if (replica != null && !replica.setAside().isEmpty()) {
      lines.add(
          "replica of "
              + report.node()
              + ": damage found at the start, made up for; set aside: "
              + String.join(", ", replica.setAside())
              + "; see to its disk");
    }
  }

  private static void network(List<String> lines, ClusterStatus status, NodeReport report) {
    TextTable domains = new TextTable("DOMAIN", "MASTER", "EPOCH", "SWITCHES");
    for (NodeReport.DomainReport domain : report.domains()) {
      domains.row(domain.name(), orDash(domain.master()), domain.epoch(), domain.switches());
    }
    TextTable switches =
        new TextTable("SWITCH", "DOMAIN", "MASTER", "CONNECTED TO", "PORTS UP", "PROTOCOL");
    for (NodeReport.SwitchReport one : status.switches()) {
      long up = one.ports().stream().filter(NodeReport.PortReport::up).count();
      switches.row(
          one.dpid(),
          one.domain().isEmpty() ? "-" : one.domain(),
          orDash(one.master()),
          join(List.copyOf(status.connectedTo(one.dpid()))),
          up + "/" + one.ports().size(),
          one.protocol());
    }
    TextTable links = new TextTable("LINK FROM", "PORT", "TO", "PORT");
    for (NodeReport.LinkReport link : report.links()) {
      links.row(link.fromSwitch(), link.fromPort(), link.toSwitch(), link.toPort());
    }
    TextTable hosts = new TextTable("HOST", "IP", "AT SWITCH", "PORT");
    for (NodeReport.HostReport host : report.hosts()) {
      hosts.row(host.mac(), String.join(" ", host.ips()), host.atSwitch(), host.atPort());
    }
    section(lines, domains, "No domains.");
    section(lines, switches, "No switches.");
    troubles(lines, status);
    applicationFailures(lines, status);
    section(lines, links, "No links.");
    section(lines, hosts, "No hosts.");
  }

  /** What each node says is wrong at a switch. */
  private static void troubles(List<String> lines, ClusterStatus status) {
    TextTable troubles = new TextTable("SWITCH", "NODE", "TROUBLE");
    for (ClusterStatus.Answer answer : status.answers()) {
      for (NodeReport.SwitchReport one : answer.report().switches()) {
        if (!one.trouble().isEmpty()) {
          troubles.row(one.dpid(), answer.report().node(), one.trouble());
        }
      }
    }
    if (!troubles.isEmpty()) {
      lines.add("");
      lines.addAll(troubles.lines());
    }
  }

  /** The applications that failed, with what each node says of them. */
  private static void applicationFailures(List<String> lines, ClusterStatus status) {
    TextTable failures =
        new TextTable("APPLICATION", "NODE", "FAILURES", "LAST FAILURE (UTC)", "LAST ERROR");
    for (ClusterStatus.Answer answer : status.answers()) {
      for (NodeReport.ApplicationFailureReport one : answer.report().applicationFailures()) {
        failures.row(
            one.application(),
            answer.report().node(),
            one.count(),
            Instant.ofEpochMilli(one.lastMillis()).truncatedTo(ChronoUnit.SECONDS),
            one.lastError());
      }
    }
    if (!failures.isEmpty()) {
      lines.add("");
      lines.addAll(failures.lines());
    }
  }

  private static void section(List<String> lines, TextTable table, String none) {
    lines.add("");
    lines.addAll(table.isEmpty() ? List.of(none) : table.lines());
  }

  private static String orDash(@Nullable Object value) {
    return value == null ? "-" : value.toString();
  }

  private static String join(List<?> ids) {
    return ids.isEmpty() ? "-" : ids.stream().map(String::valueOf).collect(Collectors.joining(","));
  }
}
