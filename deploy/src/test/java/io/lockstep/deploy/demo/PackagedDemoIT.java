package io.lockstep.deploy.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.UnpackedPackage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The demo of an unpacked package: its nodes run from the package's jars, which are only read. */
class PackagedDemoIT {
  @TempDir private Path directory;

  /** The command line of a process, empty where it has ended. */
  private static String commandLine(ProcessHandle process) {
    try {
      return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline")).replace('\0', ' ');
    } catch (IOException ended) {
      return "";
    }
  }

  private static long nodesWith(Path jars) {
    return ProcessHandle.current()
        .descendants()
        .map(PackagedDemoIT::commandLine)
        .filter(line -> line.contains(jars.toString()) && line.contains(" node --config "))
        .count();
  }

  @Test
  void theDemoRunsNodesFromThePackage() throws Exception {
    try (UnpackedPackage unpacked = UnpackedPackage.of(CheckoutCopy.in(directory), directory)) {
      Map<String, String> before = unpacked.contents();
      CompletableFuture<CommandRun> demo = new CompletableFuture<>();
      Thread running =
          new Thread(
              () -> {
                try {
                  demo.complete(unpacked.script("demo", "--ci"));
                } catch (Exception | AssertionError failure) {
                  demo.completeExceptionally(failure);
                }
              },
              "demo");
      running.start();
      Path jars = unpacked.home().toRealPath().resolve("lib");
      Await.until(
          "three nodes run from " + jars,
          Duration.ofSeconds(60),
          () -> demo.isDone() || nodesWith(jars) == DemoSettings.NODES,
          () -> "");
      assertThat(demo).as("the demo runs").isNotDone();
      CommandRun run = demo.get(5, TimeUnit.MINUTES);
      JsonNode result =
          new ObjectMapper().readTree(run.out().lines().reduce("", (earlier, line) -> line));
      // Its nodes came up, mastered the switches and answered pings: then one was killed. DemoIT
      // says whether all was fast enough.
      assertThat(result.path("killedNode").asText()).as(run.err()).isEqualTo("n1");
      assertThat(run.exitCode())
          .isEqualTo(result.path("pass").asBoolean() ? ExitCode.DONE : ExitCode.FAILED);
      assertThat(unpacked.contents()).isEqualTo(before);
      assertThat(nodesWith(jars)).as("nodes that were left").isZero();
    }
  }
}
