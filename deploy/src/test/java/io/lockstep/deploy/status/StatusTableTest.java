package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport.DifferenceReport;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.status.ClusterStatus.Answer;
import io.lockstep.deploy.status.ClusterStatus.Unreachable;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusTableTest {

  @Test
  void aWorkingClusterReadsAsTables() {
    ClusterStatus status =
        new ClusterStatus(
            true,
            List.of(
                new Answer("127.0.0.1:8181", SampleReport.ready("n1")),
                new Answer("127.0.0.1:8182", SampleReport.ready("n2"))),
            List.of(
                new Unreachable("127.0.0.1:8183", "127.0.0.1:8183: Connection refused", false)));
    assertThat(StatusTable.lines(status))
        .containsExactly(
            "Cluster demo: quorum, state in memory",
            "",
            "NODE  ADMIN           READY  REPLICA      LEADER  INSTANCE  REACHES  UP",
            "n1    127.0.0.1:8181  yes    operational  n3      4711      3 of 3   61 s",
            "n2    127.0.0.1:8182  yes    operational  n3      4711      3 of 3   61 s",
            "LEADER: the replica that proposes the order of operations. REACHES: how many replicas"
                + " this one reaches, itself included.",
            "",
            "DOMAIN  MASTER  EPOCH  SWITCHES",
            "west    n1      7      1",
            "east    -       2      0",
            "",
            "SWITCH            DOMAIN  MASTER  CONNECTED TO  PORTS UP  PROTOCOL",
            "0000000000000001  west    n1      n1,n2         1/2       OpenFlow 1.3",
            "",
            "LINK FROM         PORT  TO                PORT",
            "0000000000000001  1     0000000000000002  3",
            "",
            "HOST               IP        AT SWITCH         PORT",
            "02:00:00:00:00:01  10.0.0.1  0000000000000001  2",
            "no answer from 127.0.0.1:8183: Connection refused");
  }

  @Test
  void theLossOfTheQuorumIsTheFirstThingToSee() {
    ClusterStatus status =
        new ClusterStatus(
            false, List.of(new Answer("a:1", SampleReport.withoutQuorum("n1"))), List.of());
    assertThat(StatusTable.lines(status).get(0)).contains("NO QUORUM");
    assertThat(StatusTable.lines(status))
        .anySatisfy(line -> assertThat(line).contains("no: no quorum"));
  }

  @Test
  void troublesOfSwitchesAreShownWithTheNodeThatSaysSo() {
    ClusterStatus status =
        new ClusterStatus(
            false, List.of(new Answer("a:1", SampleReport.withoutQuorum("n1"))), List.of());
    assertThat(StatusTable.lines(status))
        .containsSequence(
            "SWITCH            NODE  TROUBLE",
            "0000000000000001  n1    the table-miss entry had been deleted");
  }

  @Test
  void applicationsThatFailedAreShownWithTheLastError() {
    ClusterStatus status =
        new ClusterStatus(
            false, List.of(new Answer("a:1", SampleReport.withoutQuorum("n1"))), List.of());
    assertThat(StatusTable.lines(status))
        .containsSequence(
            "",
            "APPLICATION  NODE  FAILURES  LAST FAILURE (UTC)    LAST ERROR",
            "block-list   n1    3         2023-11-14T22:13:20Z  decides nothing, not even to pass",
            "");
  }

  @Test
  void damagedFilesThatWereSetAsideAreNamed() {
    ClusterStatus status =
        new ClusterStatus(
            false, List.of(new Answer("a:1", SampleReport.withoutQuorum("n1"))), List.of());
    assertThat(StatusTable.lines(status))
        .contains(
            "replica of n1: damage found at the start, made up for; set aside:"
                + " set-aside-000001.log-000000-0000000000000000000; see to its disk");
  }

  @Test
  void filesThatDifferAreNamedOnceWithBothValuesAndTheRemedy() {
    DifferenceReport domain =
        new DifferenceReport("n2", "/n2.yaml", "domain west: switches", "1", "1-2", "correct it");
    DifferenceReport masters =
        new DifferenceReport("n2", "/n2.yaml", "domain west: masters", "n2", "n1", "correct it");
    ClusterStatus status =
        new ClusterStatus(
            true,
            List.of(
                new Answer("a:1", SampleReport.differing("n1", 4, List.of(domain))),
                new Answer("a:2", SampleReport.differing("n2", 4, List.of(domain, masters)))),
            List.of());
    assertThat(StatusTable.lines(status))
        .containsSequence(
            "",
            "Domains: version 3 is in force, version 4 waits for n3",
            "n2's file /n2.yaml differs from the cluster:",
            "  domain west: switches: file 1, cluster 1-2",
            "  domain west: masters: file n2, cluster n1",
            "  remedy: correct it",
            "");
  }

  @Test
  void anEndpointThatDoesNotAnswerIsNamedWithItsReason() throws Exception {
    int port;
    try (java.net.ServerSocket socket = new java.net.ServerSocket(0)) {
      port = socket.getLocalPort();
    }
    ClusterStatus status = ClusterStatus.ask(List.of("127.0.0.1:" + port), 60_000);
    assertThat(status.answers()).isEmpty();
    assertThat(status.unreachable().get(0).reason()).startsWith("127.0.0.1:" + port + ": Connec");
  }
}
