package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.probe.ProbeRoom;
import io.lockstep.deploy.admin.AdminServer;
import io.lockstep.deploy.admin.ProbeDoor;
import io.lockstep.deploy.admin.SampleReport;
import io.lockstep.deploy.config.NodeSettings.Listener;
import io.lockstep.deploy.process.ExitCode;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** {@code switch probe} with a node that says what the test wants. */
class SwitchProbeCommandTest {
  private static final String DEVICE = "of:0000000000000001";

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final Script script = new Script();
  private AdminServer server;

  /** A state for each time the node is asked; the number of probes begun. */
  private static final class Script implements ProbeDoor {
    final Deque<ProbeRoom.State> states = new ArrayDeque<>();
    int begun;

    @Override
    public synchronized Answer state() {
      return new Answer(200, states.remove());
    }

    @Override
    public synchronized Answer ask(Map<String, String> query) {
      if ("false".equals(query.get("begin"))) {
        return new Answer(200, Map.of("warnings", List.of("careful")));
      }
      begun++;
      return new Answer(202, Script.running(begun));
    }

    static ProbeRoom.State running(int number, String... progress) {
      return new ProbeRoom.State(number, DEVICE, true, List.of(progress), List.of(), "", "", false);
    }

    static ProbeRoom.State failed(int number, String error, boolean interrupted) {
      return new ProbeRoom.State(
          number, DEVICE, false, List.of(), List.of(), "", error, interrupted);
    }

    static ProbeRoom.State done(int number) {
      return new ProbeRoom.State(
          number, DEVICE, false, List.of("row"), List.of("found"), "yaml", "", false);
    }
  }

  @BeforeEach
  void open() throws IOException {
    server = AdminServer.open(new Listener("127.0.0.1", 0), () -> SampleReport.ready("n1"));
    server.offer(script);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private int probe() {
    return new CommandLine(new SwitchProbeCommand())
        .setOut(new PrintWriter(out))
        .setExecutionExceptionHandler(
            (failure, line, result) -> {
              err.append(failure.getMessage());
              return ExitCode.FAILED;
            })
        .execute("1", "--yes", "-e", "127.0.0.1:" + server.port());
  }

  @Test
  void progressAndReportArePrinted() {
    script.states.add(Script.running(1, "row"));
    script.states.add(Script.done(1));
    assertThat(probe()).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(out.toString().lines()).containsExactly("careful", "row", "found");
  }

  @Test
  void interruptedProbeBeginsAnew() {
    script.states.add(Script.failed(1, "the connection is closed", true));
    script.states.add(Script.done(2));
    assertThat(probe()).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(script.begun).isEqualTo(2);
    assertThat(out.toString())
        .contains("interrupted: the connection is closed; it begins anew", "found");
  }

  @Test
  void nodeThatWasStartedAnewKnowsOfNoProbe() {
    script.states.add(Script.running(1));
    script.states.add(new ProbeRoom.State(0, "", false, List.of(), List.of(), "", "", false));
    script.states.add(Script.done(2));
    assertThat(probe()).as(err.toString()).isEqualTo(ExitCode.DONE);
    assertThat(out.toString()).contains("no longer knows of the probe; it begins anew");
  }

  @Test
  void probeThatIsInterruptedAgainAndAgainEnds() {
    for (int number = 1; number <= SwitchProbeCommand.ATTEMPTS; number++) {
      script.states.add(Script.failed(number, "the connection is closed", true));
    }
    assertThat(probe()).isEqualTo(ExitCode.FAILED);
    assertThat(script.begun).isEqualTo(SwitchProbeCommand.ATTEMPTS);
    assertThat(err.toString()).contains("the connection is closed");
  }

  @Test
  void whatTheSwitchIsLikeIsNoReasonToProbeAgain() {
    script.states.add(Script.failed(1, "the switch answers differently", false));
    assertThat(probe()).isEqualTo(ExitCode.FAILED);
    assertThat(script.begun).isEqualTo(1);
    assertThat(err.toString()).contains("the switch answers differently");
  }
}
