package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.demo.emulate.Progress.Connected;
import io.lockstep.demo.emulate.Progress.Traffic;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ProgressLogTest {
  private static final int SWITCHES = 10;

  private final List<String> lines = new ArrayList<>();
  private long millis;
  private long lost;
  private long answered;
  private int roleless;

  private Progress progress(@Nullable Integer mastered, int... connected) {
    List<Connected> controllers = new ArrayList<>();
    for (int i = 0; i < connected.length; i++) {
      String trouble = connected[i] < SWITCHES ? "Connection refused" : null;
      controllers.add(new Connected("c" + (i + 1), connected[i], trouble));
    }
    PingTally.Counts pings = new PingTally.Counts(lost + answered, answered, lost, 0, 0, 0);
    return new Progress(
        millis,
        SWITCHES,
        roleless,
        controllers,
        mastered,
        List.of("s4 (4)"),
        new Traffic(millis * 2, millis, pings));
  }

  /** The state lasts for some time, with ten looks a second. */
  private void last(ProgressLog log, long duration, @Nullable Integer mastered, int... connected) {
    for (long end = millis + duration; millis < end; millis += 100) {
      lines.addAll(log.see(progress(mastered, connected)));
    }
  }

  @Test
  void itIsQuietOnceAllAreConnectedAndMastered() {
    ProgressLog log = new ProgressLog(false);
    last(log, 1_000, null, 3, 0);
    last(log, 1_000, 3, 10, 8);
    last(log, 500, 8, 10, 10);
    last(log, 60_000, 10, 10, 10);
    assertThat(lines)
        .containsExactly(
            "2.0 s: all 10 switches are connected to all controllers",
            "2.5 s: all 10 switches have a master");
  }

  @Test
  void itSaysOnceThatPingsAreAnswered() {
    ProgressLog log = new ProgressLog(true);
    last(log, 1_000, 10, 10);
    answered = 1;
    last(log, 1_000, 10, 10);
    answered = 500;
    last(log, 60_000, 10, 10);
    assertThat(lines)
        .containsExactly(
            "0.0 s: all 10 switches are connected to the controller",
            "0.0 s: all 10 switches have a master",
            "1.0 s: pings are answered");
  }

  @Test
  void switchesOfOpenFlow10MissNoMaster() {
    ProgressLog log = new ProgressLog(false);
    roleless = SWITCHES;
    last(log, 60_000, null, 10);
    assertThat(lines).containsExactly("0.0 s: all 10 switches are connected to the controller");
    lines.clear();
    roleless = 4;
    last(log, 60_000, 6, 10);
    assertThat(lines).containsExactly("60.0 s: all 6 switches have a master");
  }

  @Test
  void controllersThatTakeNoRoleAreHintedAtOnce() {
    ProgressLog log = new ProgressLog(false);
    last(log, 60_000, null, 10);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1))
        .startsWith("10.0 s: 10 switches have no master, s4 (4) first; no controller took a role");
  }

  @Test
  void whileItWaitsItRepeatsTheStateAndSlowerWhereNothingChanges() {
    ProgressLog log = new ProgressLog(false);
    last(log, 5_100, 0, 4, 0);
    last(log, 5_000, 4, 10, 0);
    last(log, 60_000, 4, 10, 0);
    assertThat(lines)
        .containsExactly(
            "5.0 s: connected 4 0 of 10, with a master 0; c1: Connection refused; c2: Connection"
                + " refused",
            "10.0 s: connected 10 0 of 10, with a master 4; c2: Connection refused",
            "40.0 s: connected 10 0 of 10, with a master 4; c2: Connection refused",
            "70.0 s: connected 10 0 of 10, with a master 4; c2: Connection refused");
  }

  @Test
  void aLiveLineReplacesTheRepetition() {
    ProgressLog log = new ProgressLog(true);
    last(log, 60_000, 4, 10, 0);
    assertThat(lines).isEmpty();
  }

  @Test
  void aControllerThatGoesAndReturnsIsReportedOnceEachAndSoAreMasters() {
    ProgressLog log = new ProgressLog(true);
    last(log, 1_000, 10, 10, 10);
    lines.clear();
    last(log, 100, 7, 6, 10);
    last(log, 100, 5, 2, 10);
    last(log, 100, 8, 0, 10);
    last(log, 3_000, 10, 0, 10);
    last(log, 500, 10, 4, 10);
    last(log, 5_000, 10, 10, 10);
    assertThat(lines)
        .containsExactly(
            "1.3 s: all switches have a master again: 5 had none, for up to 0.30 s",
            "1.5 s: c1 has 0 of 10 switches: Connection refused",
            "4.8 s: c1 has all 10 switches again, after 3.8 s");
  }

  @Test
  void mastersThatStayAwayAreReportedAndSoAreConnectionsThatNeverSettle() {
    ProgressLog log = new ProgressLog(true);
    last(log, 1_000, 10, 10);
    lines.clear();
    for (int i = 0; i < 30; i++) {
      last(log, 100, 3, 9 - i % 2);
    }
    assertThat(lines)
        .containsExactly(
            "3.0 s: c1 has 9 of 10 switches: Connection refused",
            "3.0 s: 7 of 10 switches have no master",
            "3.1 s: c1 has 8 of 10 switches: Connection refused");
  }

  @Test
  void switchesThatNeverGetAMasterAreHintedAtOnce() {
    ProgressLog log = new ProgressLog(true);
    last(log, 60_000, 6, 10);
    assertThat(lines).hasSize(2);
    assertThat(lines.get(1))
        .startsWith(
            "10.0 s: 4 switches have no master, s4 (4) first; they are perhaps in no domain: ")
        .contains("--print-domains", "domain set --version N FILE");
  }

  @Test
  void lostPingsAreShownEveryFewSeconds() {
    ProgressLog log = new ProgressLog(false);
    last(log, 10_000, 10, 10);
    lines.clear();
    for (int i = 0; i < 100; i++) {
      lost++;
      last(log, 100, 10, 10);
    }
    last(log, 30_000, 10, 10);
    assertThat(lines)
        .containsExactly(
            "10.0 s: connected 10 of 10, with a master 10, pings 1, lost 1",
            "15.0 s: connected 10 of 10, with a master 10, pings 51, lost 51",
            "20.0 s: connected 10 of 10, with a master 10, pings 100, lost 100");
  }

  @Test
  void theLiveStateHasRates() {
    Progress before = progress(10, 10, 10);
    millis = 2_000;
    assertThat(ProgressLog.state(progress(10, 10, 10), before))
        .isEqualTo("connected 10 10 of 10, with a master 10, 2000 frames/s, 1000 packet-ins/s");
  }
}
