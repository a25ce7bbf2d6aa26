package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class UsageErrorTest {
  private static List<String> said(String... arguments) {
    StringWriter err = new StringWriter();
    CommandLine line = LockstepCommand.line().setErr(new PrintWriter(err));
    assertThat(line.execute(arguments)).isEqualTo(ExitCode.USAGE);
    return err.toString().lines().toList();
  }

  @Test
  void anUnknownOptionIsOneLineWithTheNearestAndTheWayToHelp() {
    assertThat(said("status", "--outptu"))
        .containsExactly(
            "lockstep: Unknown option: '--outptu'",
            "lockstep: did you mean '--output'?",
            "lockstep: './lockstep status --help' shows its options");
  }

  @Test
  void aWrongValueIsOneLineAndTheWayToHelp() {
    assertThat(said("status", "-o", "jsn")).hasSize(2);
    assertThat(said("status", "-o", "jsn").get(0))
        .contains("'--output'", "[table, wide, json, yaml]", "'jsn'");
  }

  @Test
  void aCommandThatNeedsAnotherNamesThem() {
    assertThat(said("switch"))
        .containsExactly(
            "lockstep: which command?",
            "lockstep: './lockstep switch --help' shows its options; its commands are tables, probe");
  }

  @Test
  void anUnknownSubcommandIsAnsweredWithTheNearest() {
    assertThat(said("domain", "sho"))
        .hasSize(3)
        .anyMatch(line -> line.contains("did you mean 'show'?"));
  }

  @Test
  void whatIsMissingIsNamedWithoutTheWholeHelp() {
    assertThat(said("store", "verify")).hasSize(2);
    assertThat(said("store", "verify").get(0))
        .startsWith("lockstep: Missing required argument")
        .contains("--data", "-c");
  }

  /** In all commands the same letter is the form of the output. */
  @Test
  void theFormOfTheOutputIsTheOnlyMeaningOfO() {
    assertThat(said("switch", "probe", "1f", "-o", "file").get(0)).contains("-o");
  }
}
