package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.Distribution;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The script passes on each command that this module has, and describes it. */
class ScriptCommandsTest {
  /** Those that do not ask running nodes; the last two are for scripts of the sources only. */
  private static final Set<String> OTHERS =
      Set.of("node", "replica", "store", "pki", "completion", "manual", "rehearse");

  private static final Path SCRIPT = Distribution.root().resolve("scripts/commands.sh");

  private static Set<String> inTheScript() throws IOException {
    String list =
        Files.readAllLines(SCRIPT).stream()
            .filter(line -> line.startsWith("readonly ASKING_COMMANDS="))
            .map(line -> line.replaceAll(".*\"(.*)\"", "$1"))
            .collect(Collectors.joining());
    return new TreeSet<>(List.of(list.split(" ")));
  }

  @Test
  void scriptPassesOnWhatAsksRunningNodes() throws IOException {
    Set<String> commands = new TreeSet<>();
    for (CommandLine command : LockstepCommand.line().getSubcommands().values()) {
      commands.add(command.getCommandName());
    }
    commands.removeAll(OTHERS);
    assertThat(inTheScript()).isEqualTo(commands);
  }

  @Test
  void helpDescribesThem() throws IOException {
    List<String> lines = Files.readAllLines(SCRIPT);
    for (String command : inTheScript()) {
      assertThat(lines).as(command).anyMatch(line -> line.startsWith("  " + command + " "));
    }
  }
}
