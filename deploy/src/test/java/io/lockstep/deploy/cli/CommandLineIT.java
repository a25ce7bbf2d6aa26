package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Bad input on the command line: a clear message and the promised exit code, from real processes.
 */
class CommandLineIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  @Test
  void anUnknownCommandIsAnsweredWithTheNearestOne() throws Exception {
    CommandRun run = CommandRun.script(DEADLINE, Map.of(), "statsu");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("unknown command 'statsu'", "did you mean 'status'?");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void helpListsEveryCommand() throws Exception {
    CommandRun run = CommandRun.script(DEADLINE, Map.of(), "help");
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.out())
        .contains("demo ", "test ", "node ", "replica ", "status ", "bench ", "version ");
  }

  @Test
  void whatIsMissingIsNamedWithTheWayToGetIt() throws Exception {
    // A path with the tools the script itself needs, and without Maven.
    for (String tool :
        List.of("bash", "env", "dirname", "awk", "tr", "cut", "find", "sort", "cksum", "id")) {
      Path link = directory.resolve(tool);
      Files.writeString(link, "#!/bin/sh\nexec " + CommandRun.locate(tool) + " \"$@\"\n");
      assertThat(link.toFile().setExecutable(true)).isTrue();
    }
    CommandRun run =
        CommandRun.script(DEADLINE, Map.of("PATH", directory.toString()), "test", "--no-skip");
    assertThat(run.exitCode()).isEqualTo(ExitCode.MISSING);
    assertThat(run.err()).contains("missing on this machine", "Maven 3.8.7 or newer", "to get it");
  }

  /** Without it the script makes no archive of loaded classes, and starts are slow. */
  @Test
  void theRehearsalSucceedsAndLeavesNothing() throws Exception {
    CommandRun run =
        CommandRun.lockstep(DEADLINE, Map.of("XDG_RUNTIME_DIR", directory.toString()), "rehearse");
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void anUnknownOptionIsAnsweredWithUsage() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE, "node", "--config", "x.yaml", "--confg");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("Unknown option: '--confg'", "did you mean '--config'?");
  }

  @Test
  void aBrokenConfigurationIsToldWholeAndTheNodeDoesNotStart() throws Exception {
    Path file = directory.resolve("broken.yaml");
    Files.writeString(file, "cluster: demo\nnode: n1\nmembrs: []\nopenflow: {port: 0}\n");
    CommandRun run = CommandRun.lockstep(DEADLINE, "node", "--config", file.toString());
    assertThat(run.exitCode()).isEqualTo(ExitCode.NEEDS_PERSON);
    assertThat(run.err())
        .contains(file + ":3:1: membrs: unknown key", "did you mean 'members'?")
        .contains(file + ":4:18: openflow.port: 0 is out of bounds")
        .doesNotContain("Exception");
    assertThat(run.lastLine())
        .startsWith("lockstep: " + file)
        .contains("remedy: ")
        .endsWith("(exit code 12: it needs a person)");
  }

  @Test
  void aPortInUseIsNamedWithItsKeyAndTheNodeDoesNotStart() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      ClusterPlan plan = new ClusterPlan(directory, "test", 3, ports, List.of(), "");
      plan.writeConfigurations();
      try (ServerSocket openflow = taken(plan.openflowPort(0));
          ServerSocket store = taken(plan.storePort(0))) {
        CommandRun run =
            CommandRun.lockstep(DEADLINE, "node", "--config", plan.configFile(0).toString());
        assertThat(run.exitCode()).isEqualTo(ExitCode.TRY_AGAIN);
        assertThat(run.lastLine())
            .contains("openflow.port: cannot listen on", "stop the process that has it");
        assertThat(run.err())
            .contains("openflow.port: cannot listen on 127.0.0.1:" + openflow.getLocalPort())
            .contains("storePort of n1: cannot listen on 127.0.0.1:" + store.getLocalPort())
            .contains("remedy: stop the process that has it")
            .doesNotContain("Exception");
      }
    }
  }

  private static ServerSocket taken(int port) throws IOException {
    return new ServerSocket(port, 1, InetAddress.getLoopbackAddress());
  }

  @Test
  void statusNamesTheEndpointThatDoesNotAnswer() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      String endpoint = "127.0.0.1:" + ports.port(1);
      CommandRun run = CommandRun.lockstep(DEADLINE, "status", "-e", endpoint);
      assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(run.out()).contains("no answer from " + endpoint + ": Connection refused");
      assertThat(run.err()).contains("no node answers at " + endpoint, "remedy:");
    }
  }

  @Test
  void statusRefusesAnEndpointThatIsNone() throws Exception {
    CommandRun run = CommandRun.lockstep(DEADLINE, "status", "-e", "here");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("-e here: give HOST:PORT");
    assertThat(run.err().lines()).as("not the whole help").hasSizeLessThanOrEqualTo(3);
  }

  @Test
  void helpOfACommandIsThatOfTheCommand() throws Exception {
    CommandRun help = CommandRun.script(DEADLINE, Map.of(), "help", "status");
    CommandRun option = CommandRun.script(DEADLINE, Map.of(), "status", "--help");
    assertThat(help.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(help.out()).isEqualTo(option.out()).contains("--output");
    CommandRun unknown = CommandRun.script(DEADLINE, Map.of(), "help", "statsu");
    assertThat(unknown.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(unknown.err()).contains("did you mean 'status'?");
  }

  @Test
  void whatIsNoCommandButIsShownByOneLeadsThere() throws Exception {
    CommandRun run = CommandRun.script(DEADLINE, Map.of(), "rules");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("switch tables'", "explain flow ID'");
  }
}
