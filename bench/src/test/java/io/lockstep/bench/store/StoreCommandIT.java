package io.lockstep.bench.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with three replica processes. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class StoreCommandIT {
  @TempDir Path directory;

  @Test
  void threeReplicasAreMeasuredAndGone() throws Exception {
    List<Long> before = children();
    Path file = directory.resolve("store.json");
    String arguments =
        "store --workloads put,ls-ucast-micro --in-flight 16 --warmup 0 --warmup-most 0 --seconds 1"
            + " --deadline-millis 60000 --out "
            + file;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    JsonNode result = new ObjectMapper().readTree(file.toFile());
    assertThat(result.path("benchmark").asText()).isEqualTo("store");
    assertThat(result.at("/parameters/workloads").asText()).contains("ls-ucast-micro");
    assertThat(result.at("/parameters/seconds").asInt()).isEqualTo(1);
    JsonNode points = result.path("points");
    assertThat(points).hasSize(2);
    for (JsonNode point : points) {
      assertThat(point.path("answered").asLong()).isPositive();
      assertThat(point.path("lost").asLong()).isZero();
      assertThat(point.path("serverCpuMicros").asDouble()).isPositive();
    }
    assertThat(children()).isEqualTo(before);
  }

  @Test
  void anUnknownWorkloadIsWrongUsage() {
    assertThat(BenchMain.run("store", "--workloads", "nonsense")).isEqualTo(2);
  }

  private static List<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).sorted().toList();
  }
}
