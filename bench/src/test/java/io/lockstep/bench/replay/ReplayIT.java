package io.lockstep.bench.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replay in virtual machines of JMH, against three replica processes. */
class ReplayIT {
  private static final int RUNS = 500;

  @TempDir private Path directory;

  private JsonNode replay(String arguments) throws Exception {
    Path out = directory.resolve("replay.json");
    List<String> words = new ArrayList<>(List.of(("replay " + arguments).split(" ")));
    words.addAll(List.of("--forks", "1", "--warmup", "0", "--least-seconds", "0"));
    words.addAll(List.of("--runs", String.valueOf(RUNS), "--out", out.toString()));
    assertThat(BenchMain.run(words.toArray(String[]::new))).isZero();
    return new ObjectMapper().readTree(out.toFile());
  }

  @Test
  void pointsHaveTheirRuns() throws Exception {
    JsonNode points =
        replay("--workload lb-vip --variant vers,cache-best --mode live --flows 16 --durable true");
    assertThat(points).hasSize(2);
    for (JsonNode point : points) {
      assertThat(point.path("runs").asLong()).isEqualTo(RUNS);
      assertThat(point.path("flowsPerSecond").asDouble()).isPositive();
      assertThat(point.path("p90Millis").asDouble())
          .isGreaterThanOrEqualTo(point.path("p50Millis").asDouble());
    }
    assertThat(points.get(0).path("conflicts").asLong()).as("on one pool").isPositive();
  }

  /** Two of three replicas are killed while flows run: no majority is left. */
  @Test
  void clusterThatDiesEndsTheFlowsAndIsNamed() throws Exception {
    ReplayBenchmark load = new ReplayBenchmark();
    try (ReplayCluster cluster = ReplayCluster.start(directory, false)) {
      load.workload = "ls-ucast";
      load.variant = "init";
      load.mode = "messages";
      load.flows = 16;
      load.runs = RUNS;
      load.mostSeconds = 120;
      load.replicas = cluster.addresses();
      load.trace = "";
      load.results = directory.resolve("results.jsonl").toString();
      load.start();
      assertThat(load.replay().runs()).isEqualTo(RUNS);
      load.runs = Long.MAX_VALUE;
      CompletableFuture<Object> failing =
          CompletableFuture.supplyAsync(() -> catchThrowable(load::replay));
      cluster.handles().get(1).destroyForcibly();
      cluster.handles().get(2).destroyForcibly();
      assertThat(failing.get(120, TimeUnit.SECONDS))
          .isInstanceOf(BenchException.class)
          .asString()
          .contains("a flow failed");
      assertThat(cluster.obituary()).contains("replica-1 ended with");
      load.end();
      assertThat(ReplayResults.read(Path.of(load.results))).hasSize(1);
    }
    try (Stream<Path> left = Files.list(directory)) {
      assertThat(left.map(path -> path.getFileName().toString()))
          .noneMatch(name -> name.startsWith("lockstep-replay-"));
    }
  }

  @Test
  void wrongUsageIsRefused() {
    String[] wrong = {
      "replay --workload ls-none",
      "replay --workload ls-ucast --variant cols",
      "replay --workload ls-ucast --variant cache",
      "replay --workload ls-ucast --flows 0",
      "replay --workload ls-ucast --forks 0",
      "replay --workload ls-ucast --mode dead",
      "replica --id 3 --replicas a:1,b:2,c:3"
    };
    for (String line : wrong) {
      assertThat(BenchMain.run(line.split(" "))).as(line).isEqualTo(2);
    }
    String[] failing = {
      "replay --workload ls-ucast --replicas nowhere",
      "replay --workload ls-ucast --trace /none",
      "replay --workload ls-ucast --trace /none --mode live"
    };
    for (String line : failing) {
      assertThat(BenchMain.run(line.split(" "))).as(line).isEqualTo(1);
    }
  }
}
