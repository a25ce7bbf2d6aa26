package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.CheckoutCopy;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.JarMaker;
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

/**
 * The demo of an unpacked package, with an application from outside: its nodes run from the
 * package's jars, which are only read.
 */
class PackagedDemoIT {
  private static final String HAS_A_KEY =
      "public List<ConfigurationKey> configuration() {"
          + " return List.of(new ConfigurationKey.Whole(\"quota\", 1, 1, 9, \"\")); }";

  /**
   * Leaves a file with its configuration and the number of the process that asked it; the place is
   * for the directory.
   */
  private static final String LEAVES_A_FILE =
      """
      var file =
          java.nio.file.Path.of(
              "%s", configuration.whole("quota") + "-" + ProcessHandle.current().pid());
      try {
        if (!java.nio.file.Files.exists(file)) {
          java.nio.file.Files.createFile(file);
        }
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
      return Decision.PASS;
      """;

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
      Path asked = Files.createDirectory(directory.resolve("asked"));
      Path jar =
          JarMaker.application(directory, "watcher", LEAVES_A_FILE.formatted(asked), HAS_A_KEY)
              .write("watcher.jar");
      CompletableFuture<CommandRun> demo = new CompletableFuture<>();
      Thread running =
          new Thread(
              () -> {
                try {
                  demo.complete(
                      unpacked.script(
                          "demo",
                          "--ci",
                          "--app",
                          jar.toString(),
                          "--app-config",
                          "watcher.quota=7"));
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
      assertThat(asked)
          .as("nodes asked the application, which had its configuration")
          .isNotEmptyDirectory()
          .isDirectoryNotContaining(file -> !file.getFileName().toString().startsWith("7-"));
      assertThat(unpacked.contents()).isEqualTo(before);
      assertThat(nodesWith(jars)).as("nodes that were left").isZero();
    }
  }
}
