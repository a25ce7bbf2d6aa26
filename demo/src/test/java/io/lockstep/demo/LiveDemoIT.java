package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo as a user sees it: on a terminal of 80 columns and 24 rows, with keys. */
class LiveDemoIT {
  private static final int SIGINT = 130;
  private static final int SIGTERM = 143;

  @TempDir private Path directory;

  @BeforeAll
  static void scriptIsThere() {
    boolean there =
        List.of("/usr/bin", "/bin", "/usr/local/bin").stream()
            .anyMatch(place -> Files.isExecutable(Path.of(place, "script")));
    Assumptions.assumeTrue(
        there, "not installed: script; as root, ./lockstep test --install gets all that is needed");
  }

  private static List<String> command() {
    List<String> line = new ArrayList<>(CommandRun.line("-Xmx512m", "demo"));
    line.addAll(1, List.of("-Dlockstep.terminal=true", "-XX:-UsePerfData"));
    return line;
  }

  private PseudoTerminal demo(Map<String, String> environment) throws IOException {
    return new PseudoTerminal(80, 24, directory, environment, command());
  }

  @Test
  void keysActOnTheClusterAndTheTerminalIsRestored() throws Exception {
    try (PseudoTerminal terminal = demo(Map.of())) {
      terminal.await("n1    starting");
      assertThat(terminal.screen().alternate()).isTrue();
      assertThat(terminal.screen().cursorHidden()).isTrue();
      terminal.type("k");
      terminal.await("not yet: keys act when all hosts answer each other");
      terminal.await("a key you take over");
      assertThat(terminal.screen().text())
          .contains(
              "k kill a node  r start it  l cut a link", "\u25cf\u25cf\u25cf\u25cf  master n1")
          .contains("h1@s1 h2@s2 h3@s3");
      // A node that answers late counts as not ready, and then no other may be killed.
      terminal.typeUntil("k", "kill -9 n");
      terminal.await(" switches of ");
      terminal.await("  down ");
      terminal.type("k");
      terminal.await("is down (r starts it); the store needs 2 of 3");
      terminal.type("r");
      terminal.await("starting n");
      terminal.type("f");
      terminal.await("switch s1 of domain west: ");
      terminal.await("eth_type=0x88cc");
      terminal.type("f");
      terminal.await("switch s2 of domain west: ");
      terminal.type("\033");
      terminal.await("NODE  STATE");
      terminal.resize(60, 20);
      terminal.await(
          "the keys in row 20, clipped at column 60",
          shown -> shown.lines().toList().get(19).endsWith("m move a host  f fl"));
      assertThat(terminal.screen().text().lines()).allMatch(line -> line.length() <= 60);
      terminal.type("q");
      assertThat(terminal.awaitEnd()).isEqualTo(ExitCode.DONE);
      assertThat(terminal.restored()).isTrue();
      assertThat(terminal.screen().styles()).isPositive();
      assertThat(terminal.screen().normal())
          .contains("Lockstep demo: ended after ", "  you         killed n", "started n")
          .contains("Try next:");
    }
  }

  @Test
  void withoutColoursTheTableStaysAndSigtermRestoresTheTerminal() throws Exception {
    try (PseudoTerminal terminal = demo(Map.of("NO_COLOR", "1"))) {
      terminal.await("n1    starting");
      assertThat(terminal.screen().alternate()).isTrue();
      assertThat(terminal.screen().styles()).isZero();
      terminal.signal("-TERM");
      assertThat(terminal.awaitEnd()).isEqualTo(SIGTERM);
      assertThat(terminal.restored()).isTrue();
      assertThat(terminal.screen().normal()).contains("Try next:");
    }
  }

  @Test
  void controlCRestoresTheTerminalAndSaysWhatHappened() throws Exception {
    try (PseudoTerminal terminal = demo(Map.of())) {
      terminal.await("n1    starting");
      assertThat(terminal.interrupt()).isEqualTo(SIGINT);
      assertThat(terminal.restored()).isTrue();
      assertThat(terminal.screen().normal()).contains("pings       none counted", "Try next:");
    }
  }

  @Test
  void aFailureRestoresTheTerminalAndNamesItself() throws Exception {
    // No file may grow: the configurations cannot be written.
    List<String> limited = new ArrayList<>(List.of("sh", "-c", "ulimit -f 0; exec \"$@\"", "demo"));
    limited.addAll(command());
    try (PseudoTerminal terminal = new PseudoTerminal(80, 24, directory, Map.of(), limited)) {
      assertThat(terminal.awaitEnd()).isEqualTo(ExitCode.FAILED);
      assertThat(terminal.restored()).isTrue();
      assertThat(terminal.screen().normal()).contains("the demo failed", "File too large");
    }
  }
}
