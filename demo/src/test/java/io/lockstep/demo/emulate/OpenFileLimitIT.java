package io.lockstep.demo.emulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CommandRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** More switches than the emulator or a node may have files open. */
class OpenFileLimitIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ASK_MILLIS = 15_000;
  private static final int FILES = 400;

  /** All files but 256. */
  private static final int SERVED = FILES - 256;

  private static final int SWITCHES = 200;

  @TempDir private Path directory;

  private static List<String> limited(List<String> command) {
    List<String> line = new ArrayList<>();
    line.addAll(List.of("/bin/sh", "-c", "ulimit -n " + FILES + "; exec \"$@\"", "limited"));
    line.addAll(command);
    return line;
  }

  @Test
  void theEmulatorRefusesToBeginWithTooFew() throws Exception {
    List<String> command =
        limited(
            CommandRun.line(
                "-Xmx64m",
                "emulate",
                "--generate=random:1000",
                "--controllers=127.0.0.1:1,127.0.0.1:2,127.0.0.1:3"));
    CommandRun run =
        CommandRun.of(
            PATIENCE,
            Map.of(),
            Path.of(command.get(0)),
            command.subList(1, command.size()).toArray(String[]::new));
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.err())
        .contains("1000 switches at 3 controllers need 3128 open files", "may have " + FILES)
        .contains("remedy: ", "ulimit -n 3128");
    assertThat(run.out()).isEmpty();
  }

  @Test
  void aNodeServesAsManySwitchesAsItHasFilesForAndGoesOn() throws Exception {
    List<Long> dpids = LongStream.rangeClosed(1, SWITCHES).boxed().toList();
    try (PortBlock ports = PortBlock.take()) {
      ClusterPlan plan =
          new ClusterPlan(directory, "few", 1, ports, List.of(new DomainPlan("all", dpids, 0)), "");
      plan.writeConfigurations();
      Path log = directory.resolve("n1.log");
      List<String> node =
          limited(
              CommandRun.line(
                  "-Xmx256m",
                  "node",
                  "--config",
                  plan.configFile(0).toString(),
                  "--until-input-ends"));
      Process process =
          new ProcessBuilder(node)
              .redirectErrorStream(true)
              .redirectOutput(Redirect.to(log.toFile()))
              .start();
      AdminClient admin = new AdminClient(plan.adminEndpoint(0), ASK_MILLIS);
      InetSocketAddress controller =
          new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.openflowPort(0));
      Await.until("the node is ready", PATIENCE, admin::ready, () -> text(log));
      try (EmulatedNetwork network =
          EmulatedNetwork.start(Topologies.ring(SWITCHES, 0), List.of(controller))) {
        Await.until(
            SERVED + " switches have a master",
            PATIENCE,
            () -> network.switches().stream().filter(one -> one.master() != null).count() == SERVED,
            () -> text(log));
        assertThat(openFiles(process)).isLessThan(FILES);
        assertThat(admin.report().ready()).as("it goes on").isTrue();
        assertThat(text(log))
            .contains("takes at most " + SERVED + " connections of switches", "ulimit -n")
            .contains("refused: " + SERVED + " connections are open")
            .doesNotContain("Too many open files");
        assertThat(text(log).lines().filter(line -> line.contains(" refused: ")).count())
            .as("the log is bounded")
            .isLessThan(50);
      } finally {
        process.destroyForcibly();
      }
    }
  }

  private static long openFiles(Process process) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc/" + process.pid() + "/fd"))) {
      return files.count();
    }
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("reading " + file, e);
    }
  }
}
