package io.lockstep.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeWithApplications;
import io.lockstep.deploy.testbed.ShellDocument;
import io.lockstep.deploy.testbed.ShellDocument.Step;
import io.lockstep.deploy.testbed.UnpackedPackage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Follows docs/APPLICATIONS.md of an unpacked package, step by step: builds the example with its
 * script, and runs it in the package's node before a network of emulated switches. Only ports
 * differ from the document.
 */
class ApplicationsDocIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final int STEPS = 5;

  private static final String EXAMPLE =
      "examples/block-list/src/main/java/org/example/blocklist/BlockList.java";

  /** The step that runs until Ctrl-C. */
  private static final int RUNNING = STEPS - 1;

  @TempDir private Path directory;

  /** With ports of this test. */
  private static String here(String commands, PortBlock ports) {
    return commands
        .replace("storePort: 7100", "storePort: " + ports.port(1))
        .replace("port: 6653", "port: " + ports.port(4))
        .replace("port: 8181", "port: " + ports.port(5));
  }

  @Test
  void theDocumentLeadsToARunningApplication() throws Exception {
    try (UnpackedPackage unpacked = UnpackedPackage.of(CheckoutCopy.in(directory), directory);
        PortBlock ports = PortBlock.take()) {
      assertThat(Files.readAllLines(unpacked.home().resolve(EXAMPLE)))
          .as("read in minutes")
          .hasSizeLessThanOrEqualTo(80);
      Map<String, String> before = unpacked.contents();
      Path work = Files.createDirectory(directory.resolve("work"));
      Map<String, String> environment =
          Map.of(
              "LOCKSTEP",
              unpacked.home().toString(),
              "JAVA_HOME",
              System.getProperty("java.home", ""),
              "PATH",
              Path.of(System.getProperty("java.home", ""), "bin") + ":/usr/bin:/bin");
      List<Step> steps = ShellDocument.steps(unpacked.home().resolve("docs/APPLICATIONS.md"));
      assertThat(steps).hasSize(STEPS);
      for (Step step : steps.subList(0, RUNNING)) {
        CommandRun run =
            CommandRun.of(
                DEADLINE,
                environment,
                Path.of("/bin/sh"),
                "-euc",
                "cd '" + work + "'\n" + here(step.commands(), ports));
        assertThat(run.exitCode()).as(step.commands() + run.err()).isEqualTo(ExitCode.DONE);
        assertThat(run.out()).as(step.commands() + run.err()).contains(step.expected());
      }
      ProcessBuilder node =
          new ProcessBuilder("/bin/sh", "-euc", here(steps.get(RUNNING).commands(), ports))
              .directory(work.toFile());
      node.environment().putAll(environment);
      try (NodeWithApplications running =
          NodeWithApplications.start(node, directory.resolve("node.log"), ports.port(4))) {
        assertThat(running.mac(0)).as("the host of the document").isEqualTo("02:00:00:00:00:01");
        running.awaitPing(2, 3);
        running.awaitPing(1, 2);
        for (int i = 0; i < 3; i++) {
          assertThat(running.ping(0, 1)).as("a blocked host reaches nobody").isFalse();
          assertThat(running.ping(2, 0)).as("nobody reaches it").isFalse();
        }
        assertThat(running.reaches(2, 3)).as("the others go on").isTrue();
        CommandRun tries =
            CommandRun.of(
                DEADLINE,
                environment,
                unpacked.home().resolve("lockstep"),
                "app",
                "block-list",
                "tries",
                "-e",
                "127.0.0.1:" + ports.port(5));
        assertThat(tries.out()).as(tries.err()).containsPattern("02:00:00:00:00:01  [1-9]");
        assertThat(running.running()).isTrue();
      }
      assertThat(unpacked.contents()).as("nothing is written into the package").isEqualTo(before);
    }
  }
}
