package io.lockstep.deploy.admin;

import io.lockstep.deploy.admin.NodeReport.ApplicationFailureReport;
import io.lockstep.deploy.admin.NodeReport.DifferenceReport;
import io.lockstep.deploy.admin.NodeReport.DomainReport;
import io.lockstep.deploy.admin.NodeReport.DomainVersionsReport;
import io.lockstep.deploy.admin.NodeReport.HostReport;
import io.lockstep.deploy.admin.NodeReport.LinkReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.NodeReport.PortReport;
import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import java.util.List;

/** Reports to test with. */
public final class SampleReport {
  private SampleReport() {}

  /** Of a node that works. */
  public static NodeReport ready(String node) {
    return report(node, true, 0, List.of());
  }

  /** Of a node that is alone. */
  public static NodeReport withoutQuorum(String node) {
    return report(node, false, 0, List.of());
  }

  /** Of a node that works and knows files that differ, and of domains on their way to n3. */
  public static NodeReport differing(
      String node, long nextDomains, List<DifferenceReport> differences) {
    return report(node, true, nextDomains, differences);
  }

  /** The same with other members. */
  public static NodeReport withMembers(NodeReport of, List<MemberReport> members) {
    return new NodeReport(
        of.cluster(),
        of.node(),
        of.version(),
        of.uptimeMillis(),
        of.state(),
        of.ready(),
        of.notReadyBecause(),
        of.quorum(),
        of.replica(),
        members,
        of.domains(),
        of.switches(),
        of.links(),
        of.hosts(),
        of.domainVersions(),
        of.differences(),
        of.applicationFailures());
  }

  private static NodeReport report(
      String node, boolean good, long nextDomains, List<DifferenceReport> differences) {
    return new NodeReport(
        "demo",
        node,
        "0.1.0",
        61_000,
        "in memory",
        good,
        good ? null : "no quorum",
        good,
        new ReplicaReport(
            1,
            "operational",
            good ? 2 : -1,
            3,
            4711,
            good ? List.of(0, 1, 2) : List.of(1),
            good,
            4000,
            1_000_000,
            good ? List.of() : List.of("set-aside-000001.log-000000-0000000000000000000"),
            List.of("n1", "n2", "n3")),
        List.of(
            MemberReport.of("n1", "127.0.0.1", true, false),
            MemberReport.of("n2", "127.0.0.1", false, false)),
        List.of(new DomainReport("west", "n1", 7, 1), new DomainReport("east", null, 2, 0)),
        List.of(
            new SwitchReport(
                "0000000000000001",
                "west",
                node.equals("n1") ? "master" : "slave",
                "n1",
                List.of(node),
                "127.0.0.1:40000",
                "OpenFlow 1.3",
                good ? "" : "the table-miss entry had been deleted",
                List.of(new PortReport(1, "s1-1", true), new PortReport(2, "s1-2", false)))),
        List.of(new LinkReport("0000000000000001", 1, "0000000000000002", 3)),
        List.of(new HostReport("02:00:00:00:00:01", List.of("10.0.0.1"), "0000000000000001", 2)),
        new DomainVersionsReport(3, nextDomains, nextDomains == 0 ? List.of() : List.of("n3")),
        differences,
        good
            ? List.of()
            : List.of(
                new ApplicationFailureReport(
                    "block-list", 3, "decides nothing, not even to pass", 1_700_000_000_123L)));
  }
}
