package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command on our store: three replica processes and the load. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class CompareCommandIT {
  @TempDir Path directory;

  @Test
  void ourStoreIsMeasuredAndASecondRunMeasuresNothing() throws Exception {
    Path file = directory.resolve("compare.json");
    String arguments =
        "compare --stores lockstep --workloads ls-ucast --variants micro --flows 2"
            + " --durable false --seconds 1 --warmup 2 --rounds 1 --out "
            + file;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    JsonNode points = new ObjectMapper().readTree(file.toFile());
    assertThat(points).hasSize(1);
    JsonNode point = points.get(0);
    assertThat(point.path("store").asText()).isEqualTo("lockstep");
    assertThat(point.path("flows").asInt()).isEqualTo(2);
    assertThat(point.path("durable").asBoolean()).isFalse();
    assertThat(point.path("flowsPerSecond").asDouble()).isPositive();
    assertThat(point.path("cpuMicrosPerFlow").asDouble()).isPositive();
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    assertThat(new ObjectMapper().readTree(file.toFile())).isEqualTo(points);
    JsonNode beside = new ObjectMapper().readTree(directory.resolve(file + ".run.json").toFile());
    assertThat(beside.path("warmUps")).hasSize(1);
    assertThat(beside.path("warmUps").get(0).path("seconds").asInt()).isEqualTo(2);
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void wrongNamesAreWrongUsage() {
    assertThat(BenchMain.run("compare", "--stores", "nonsense")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--workloads", "nonsense")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--variants", "nonsense")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--durable", "perhaps")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--jraft-rpc", "smoke")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--warmup", "-1")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--flows", "0")).isEqualTo(2);
    assertThat(BenchMain.run("compare", "--stores", "etcd", "--variants", "cache")).isEqualTo(2);
  }
}
