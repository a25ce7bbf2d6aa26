package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command with each replica in a network namespace. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class NamespacesIT {
  private static final Path NAMESPACES = Path.of("/run/netns");
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(100);

  @TempDir Path directory;

  @BeforeEach
  void needsRoot() {
    boolean root = System.getProperty("user.name", "").equals("root");
    boolean ip =
        Stream.of("/usr/sbin/ip", "/sbin/ip", "/usr/bin/ip").map(Path::of).anyMatch(Files::exists);
    assumeTrue(root && ip, "network namespaces need root and iproute2");
  }

  /** Those of the runs that a process has begun. */
  private static List<String> namespacesOf(long pid) throws IOException {
    if (!Files.isDirectory(NAMESPACES)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(NAMESPACES)) {
      String prefix = "lockstep-" + pid + "-";
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.startsWith(prefix))
          .toList();
    }
  }

  @Test
  void replicasSurviveLostPackets() throws Exception {
    Path out = directory.resolve("run");
    String arguments = "history --seconds 8 --faults partition --network namespaces --out " + out;
    assertThat(HistoryMain.run(arguments.split(" "))).isZero();
    assertThat(namespacesOf(ProcessHandle.current().pid())).isEmpty();
    JsonNode summary = new ObjectMapper().readTree(out.resolve("summary.json").toFile());
    assertThat(summary.path("network").asText()).isEqualTo("namespaces");
    assertThat(summary.path("violations").asLong()).isZero();
    assertThat(summary.path("faultsByKind").path("partition").asLong()).isPositive();
    // A fault is written down only when every client has had an answer after its end.
    assertThat(Files.readAllLines(out.resolve("faults.jsonl"))).isNotEmpty();
  }

  @Test
  void aRunThatIsStoppedLeavesNothing() throws Exception {
    Path out = directory.resolve("run");
    Path log = directory.resolve("run.log");
    String java = Path.of(System.getProperty("java.home", ""), "bin", "java").toString();
    List<String> command = new ArrayList<>(List.of(java, "-Xmx128m"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path", "")));
    command.addAll(List.of(HistoryMain.class.getName(), "history", "--seconds", "200"));
    command.addAll(List.of("--faults", "partition", "--network", "namespaces", "--out"));
    command.add(out.toString());
    Process run =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      List<ProcessHandle> inside = new ArrayList<>();
      long deadline = System.nanoTime() + PATIENCE_NANOS;
      while (inside.size() < 4 && System.nanoTime() - deadline < 0) {
        inside.clear();
        run.toHandle().descendants().filter(ProcessHandle::isAlive).forEach(inside::add);
        assertThat(run.isAlive()).as("%s", log).isTrue();
        TimeUnit.MILLISECONDS.sleep(50);
      }
      assertThat(namespacesOf(run.pid())).hasSize(4);
      run.destroy();
      assertThat(run.waitFor(100, TimeUnit.SECONDS)).isTrue();
      assertThat(namespacesOf(run.pid())).isEmpty();
      for (ProcessHandle process : inside) {
        process.onExit().get(100, TimeUnit.SECONDS);
      }
    } finally {
      run.destroyForcibly();
    }
  }
}
