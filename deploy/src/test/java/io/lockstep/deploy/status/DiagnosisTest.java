package io.lockstep.deploy.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.DifferenceReport;
import io.lockstep.deploy.admin.NodeReport.MemberReport;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.admin.SelfReport;
import io.lockstep.deploy.admin.SelfReport.MachineReport;
import io.lockstep.deploy.admin.SelfReport.ReplicaSelf;
import io.lockstep.deploy.admin.SelfReport.StateReport;
import io.lockstep.deploy.status.ClusterStatus.Answer;
import io.lockstep.deploy.status.Finding.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DiagnosisTest {
  private static final Instant NOW = Instant.parse("2026-11-30T00:00:00Z");
  private static final MachineReport ROOM = new MachineReport(1, 2, 3, 50L << 30);

  private static SelfReport self(
      String version,
      @Nullable String notReady,
      List<String> lost,
      MachineReport machine,
      Map<String, String> sections) {
    return new SelfReport(
        version,
        1_000,
        notReady == null,
        notReady,
        new ReplicaSelf("operational", "n1", 7, List.of("n1", "n2"), lost),
        1,
        1,
        machine,
        Map.of("drops", lost.isEmpty() ? 0L : 9L),
        sections,
        Map.of(),
        0,
        null);
  }

  private static MemberReport with(String id, long daysLeft, long statePercent) {
    SelfReport sound = self("0.1.0", null, List.of(), ROOM, Map.of("timeouts", "a"));
    return member(
        id,
        true,
        new SelfReport(
            sound.version(),
            sound.uptimeMillis(),
            true,
            null,
            sound.replica(),
            1,
            1,
            ROOM,
            Map.of(),
            sound.sections(),
            Map.of(),
            NOW.plus(Duration.ofDays(daysLeft)).toEpochMilli(),
            new StateReport(statePercent << 20, 100L << 20)));
  }

  @Test
  void certificateThatEndsSoonIsFound() {
    assertThat(
            found(true, with("n1", 31, 0), with("n2", 30, 0), with("n3", 29, 0), with("n4", -1, 0)))
        .contains(
            "WARNING n3: its certificate ends on 2026-12-29T00:00:00Z, in 29 days",
            "ERROR n4: its certificate ended on 2026-11-29T00:00:00Z: the others refuse its links")
        .noneMatch(line -> line.contains("n1: its certificate") || line.contains("n2: its"));
  }

  @Test
  void stateNearItsLimitIsFound() {
    assertThat(found(true, with("n1", 90, 79), with("n2", 90, 80), with("n3", 90, 95)))
        .contains(
            "WARNING n2: the state of its replica takes 80 % of its limit (80 MiB of 100 MiB)",
            "ERROR n3: the state of its replica takes 95 % of its limit (95 MiB of 100 MiB)")
        .noneMatch(line -> line.contains("n1: the state"));
  }

  private static MemberReport member(String id, boolean alive, @Nullable SelfReport self) {
    return new MemberReport(id, "10.0.0.1", alive, false, 1_000L, 5L, self);
  }

  private static MemberReport sound(String id) {
    return member(id, true, self("0.1.0", null, List.of(), ROOM, Map.of("timeouts", "a")));
  }

  private static List<String> found(boolean quorum, MemberReport... members) {
    NodeReport report =
        SampleReport.withMembers(
            quorum ? SampleReport.ready("n1") : SampleReport.withoutQuorum("n1"), List.of(members));
    return Diagnosis.of(
            new ClusterStatus(quorum, List.of(new Answer("a:1", report)), List.of()), NOW)
        .stream()
        .map(one -> one.severity() + " " + one.where() + ": " + one.problem())
        .toList();
  }

  @Test
  void whatTheNetworkLacksIsFound() {
    assertThat(found(true, sound("n1"), sound("n2")))
        .contains(
            "ERROR domain east: it has no master: its 0 switches take no new flows",
            "WARNING switch 0000000000000001: only n1 is connected to it")
        .noneMatch(line -> line.contains(" n2: "));
  }

  @Test
  void anAbsentNodeAndOneThatIsNotReadyAreErrors() {
    assertThat(
            found(
                true,
                member("n1", true, self("0.1.0", "no quorum", List.of(), ROOM, Map.of())),
                member("n2", false, null)))
        .contains(
            "ERROR n1: it is not ready: no quorum", "ERROR n2: it is absent; last heard 1.0 s ago");
  }

  @Test
  void withoutAQuorumNobodyIsCalledAbsent() {
    assertThat(found(false, member("n2", false, null)))
        .contains(
            "ERROR cluster: no quorum: nothing is acknowledged; installed flows go on",
            "WARNING n1: damaged files were set aside: set-aside-000001.log-000000-"
                + "0000000000000000000")
        .noneMatch(line -> line.contains("absent"));
  }

  @Test
  void whatDiffersBetweenNodesIsNamedWithThem() {
    assertThat(
            found(
                true,
                sound("n1"),
                member(
                    "n2", true, self("0.2.0", null, List.of("n3"), ROOM, Map.of("timeouts", "b")))))
        .contains(
            "WARNING cluster: version differs: {0.1.0=[n1], 0.2.0=[n2]}",
            "ERROR cluster: timeouts differs between the files of [[n1], [n2]]",
            "ERROR n2: its replica does not reach n3",
            "WARNING n2: 9 packet-ins a second are dropped, since there are too many");
  }

  @Test
  void aDiskThatIsFullAndAClockThatIsWrongAreFound() {
    SelfReport full =
        self("0.1.0", null, List.of(), new MachineReport(1, 2, 3, 100L << 20), Map.of());
    MemberReport wrong = new MemberReport("n2", "h", true, false, 40_000L, -5_000L, full);
    assertThat(found(true, sound("n1"), wrong))
        .contains(
            "ERROR n2: the disk of its replica has 100 MiB left: it will not start again",
            "WARNING n2: its wall clock is 5.0 s behind that of n1",
            "WARNING n2: its last summary is 40 s old");
  }

  @Test
  void filesThatDifferAreErrorsAndErrorsComeFirst() {
    NodeReport report =
        SampleReport.differing(
            "n1", 4, List.of(new DifferenceReport("n2", "f.yaml", "members", "a", "b", "do")));
    List<Finding> findings =
        Diagnosis.of(new ClusterStatus(true, List.of(new Answer("a:1", report)), List.of()), NOW);
    assertThat(findings)
        .contains(Finding.error("n2", "f.yaml: members is a, in the cluster b", "do"))
        .anyMatch(one -> one.problem().startsWith("version 4 of the domains waits for n3"));
    assertThat(findings).extracting(Finding::severity).isSorted();
    assertThat(findings.get(0).severity()).isEqualTo(Severity.ERROR);
  }

  @Test
  void whereNoNodeAnswersThereIsNothingToFind() {
    assertThat(Diagnosis.of(new ClusterStatus(false, List.of(), List.of()), NOW)).isEmpty();
  }
}
