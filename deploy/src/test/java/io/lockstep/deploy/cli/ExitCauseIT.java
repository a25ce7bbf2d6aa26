package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** How a replica ends that cannot run: the exit code and the last line say what to do. */
@Timeout(180)
class ExitCauseIT {
  private static final Duration DEADLINE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  private Path config(PortBlock ports, String store) throws IOException {
    Path file = directory.resolve("s1.yaml");
    Files.writeString(
        file,
        """
        cluster: ends
        node: s1
        members: [{id: n1, host: 127.0.0.1, nodePort: %d}]
        replicas: [{id: s1, host: 127.0.0.1, storePort: %d}]
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        %s
        """
            .formatted(ports.port(20), ports.port(1), ports.port(21), ports.port(10), store));
    return file;
  }

  private static CommandRun replica(Path config) throws Exception {
    return CommandRun.lockstep(DEADLINE, "replica", "--config", config.toString());
  }

  private static CommandRun shell(String before, List<String> line) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("-c", before + " && exec \"$@\"", "sh"));
    arguments.addAll(line);
    return CommandRun.of(
        DEADLINE, Map.of(), CommandRun.locate("sh"), arguments.toArray(String[]::new));
  }

  @Test
  void takenPortIsTriedAgain() throws Exception {
    try (PortBlock ports = PortBlock.take();
        ServerSocket taken = new ServerSocket(ports.port(1), 1, InetAddress.getLoopbackAddress())) {
      CommandRun run = replica(config(ports, ""));
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.TRY_AGAIN);
      assertThat(run.lastLine())
          .contains("storePort of s1: cannot listen on 127.0.0.1:" + taken.getLocalPort())
          .contains("remedy: stop the process that has it")
          .endsWith("(exit code 11: try again)");
    }
  }

  @Test
  void tooFewOpenFilesAreTriedAgain() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      String config = config(ports, "").toString();
      CommandRun run =
          shell("ulimit -n 128", CommandRun.line("-Xmx256m", "replica", "--config", config));
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.TRY_AGAIN);
      assertThat(run.lastLine())
          .contains("only 128 files and connections", "remedy: ", "LimitNOFILE")
          .endsWith("(exit code 11: try again)");
    }
  }

  @Test
  void tooLittleMemoryIsTriedAgain() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      String config = config(ports, "").toString();
      CommandRun run = shell("true", CommandRun.line("-Xmx8m", "replica", "--config", config));
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.TRY_AGAIN);
      assertThat(run.lastLine())
          .contains("out of memory", "remedy: give the process more memory")
          .endsWith("(exit code 11: try again)");
    }
  }

  /** It ends with 1, with which the shipped unit starts it again and no node ends by itself. */
  @Test
  void virtualMachineWithoutMemoryForItsHeapIsTriedAgain() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      String config = config(ports, "").toString();
      CommandRun run =
          shell("ulimit -v 1000000", CommandRun.line("-Xms1g", "replica", "--config", config));
      assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    }
  }

  @Test
  void directoryInUseIsTriedAgainAndAnotherClustersNeedsAPerson() throws Exception {
    try (PortBlock ports = PortBlock.take()) {
      Path config = config(ports, "");
      try (NodeProcess first =
          new NodeProcess(
              "s1",
              "replica",
              config,
              directory.resolve("s1.log"),
              "127.0.0.1:" + ports.port(10))) {
        first.start();
        first.awaitReady();
        try (PortBlock others = PortBlock.take()) {
          Path same = config(others, "store: {directory: data/s1}");
          CommandRun locked = replica(same);
          assertThat(locked.exitCode()).as(locked.err()).isEqualTo(ExitCode.TRY_AGAIN);
          assertThat(locked.lastLine()).contains("is used by another process");
          first.kill();
          String text = Files.readString(same);
          Files.writeString(same, text.replace("cluster: ends", "cluster: begins"));
          CommandRun foreign = replica(same);
          assertThat(foreign.exitCode()).as(foreign.err()).isEqualTo(ExitCode.NEEDS_PERSON);
          assertThat(foreign.lastLine())
              .contains("belongs to cluster \"ends\"")
              .endsWith("(exit code 12: it needs a person)");
        }
      }
    }
  }

  @Test
  void fullDiskIsTriedAgain() throws Exception {
    Path disk = Files.createDirectories(directory.resolve("disk"));
    Process mount =
        new ProcessBuilder("mount", "-t", "tmpfs", "-o", "size=8m", "exit-cause", disk.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    boolean mounted = mount.waitFor(60, TimeUnit.SECONDS) && mount.exitValue() == 0;
    assumeTrue(mounted, "mounting a small file system needs root");
    try (PortBlock ports = PortBlock.take()) {
      CommandRun run = replica(config(ports, "store: {directory: disk/data}"));
      assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.TRY_AGAIN);
      assertThat(run.lastLine())
          .contains("store.directory: ", "MiB free and needs 256 MiB; free some space")
          .endsWith("(exit code 11: try again)");
    } finally {
      assertThat(new ProcessBuilder("umount", disk.toString()).start().waitFor()).isZero();
    }
  }
}
