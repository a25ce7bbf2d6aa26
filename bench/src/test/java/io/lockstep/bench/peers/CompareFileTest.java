package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.compare.Measured;
import io.lockstep.bench.runs.BenchException;
import io.lockstep.bench.runs.Surroundings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareFileTest {
  @TempDir Path directory;

  private static CompareFile.Run run(String commit, int seconds) {
    return run(commit, seconds, new Surroundings.Machine("cpu", 2, 4096, "Linux", 0.1));
  }

  private static CompareFile.Run run(
      String commit, int seconds, Surroundings.@Nullable Machine machine) {
    return new CompareFile.Run(
        new Surroundings.Commit(commit, false),
        8,
        seconds,
        "BOLT",
        new Surroundings.Jvm("17", "vm", List.of()),
        machine);
  }

  private static ComparePoint point(int round) {
    return ComparePoint.of(
        new PointKey("jraft", "lb-vip", "init", true, round, 64),
        new Measured(5000, 1_000_000_000L, 1_234_567, 2_000_000, 3_000_000, 7),
        600_000_000L);
  }

  private Path file() {
    return directory.resolve("deep/compare.json");
  }

  @Test
  void theFileIsAListOfPointsWithExactlyTheseFields() throws Exception {
    CompareFile.open(file(), run("a", 5), false).add(point(1));
    JsonNode list = new ObjectMapper().readTree(file().toFile());
    assertThat(list.isArray()).isTrue();
    List<String> fields = new ArrayList<>();
    list.get(0).fieldNames().forEachRemaining(fields::add);
    assertThat(fields)
        .containsExactly(
            "store",
            "workload",
            "variant",
            "durable",
            "round",
            "flows",
            "flowsPerSecond",
            "p50Millis",
            "p90Millis",
            "p99Millis",
            "cpuMicrosPerFlow",
            "failedReplaces");
    assertThat(list.get(0).path("flowsPerSecond").asDouble()).isEqualTo(5000);
    assertThat(list.get(0).path("p50Millis").asDouble()).isEqualTo(1.235);
    assertThat(list.get(0).path("cpuMicrosPerFlow").asDouble()).isEqualTo(120);
    assertThat(list.get(0).path("failedReplaces").asLong()).isEqualTo(7);
  }

  @Test
  void aLaterRunGoesOnWhereAnEarlierOneStopped() throws Exception {
    CompareFile.open(file(), run("a", 5), false).add(point(1));
    CompareFile again = CompareFile.open(file(), run("a", 5), false);
    assertThat(again.contains(point(1).key())).isTrue();
    assertThat(again.contains(point(2).key())).isFalse();
    again.add(point(2));
    assertThat(CompareFile.open(file(), run("a", 5), false).points())
        .containsExactly(point(1), point(2));
  }

  @Test
  void howStoresWereWarmedUpIsKeptBeside() throws Exception {
    WarmedUp warmedUp = new WarmedUp("atomix", "lb-vip", "init", true, 1, 36, true, 5600.0, 178.2);
    CompareFile.open(file(), run("a", 5), false).add(warmedUp);
    CompareFile again = CompareFile.open(file(), run("a", 5), false);
    assertThat(again.warmUps()).containsExactly(warmedUp);
    JsonNode beside =
        new ObjectMapper().readTree(directory.resolve("deep/compare.json.run.json").toFile());
    assertThat(beside.path("run").path("warmupSeconds").asInt()).isEqualTo(8);
    assertThat(beside.path("warmUps").get(0).path("seconds").asInt()).isEqualTo(36);
    assertThat(CompareFile.open(file(), run("b", 5), true).warmUps()).isEmpty();
  }

  @Test
  void pointsOfAnotherRunAreNotMixedIn() throws Exception {
    CompareFile.open(file(), run("a", 5), false).add(point(1));
    assertThatThrownBy(() -> CompareFile.open(file(), run("b", 5), false))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining(
            "(a, --warmup 8, --seconds 5, --jraft-rpc bolt, Java 17, cpu, 2 cores)")
        .hasMessageContaining("--anew");
    assertThatThrownBy(() -> CompareFile.open(file(), run("a", 6), false))
        .isInstanceOf(BenchException.class);
    assertThat(CompareFile.open(file(), run("b", 5), true).points()).isEmpty();
  }

  @Test
  void pointsOfAnotherMachineAreNotMixedIn() throws Exception {
    Surroundings.Machine busier = new Surroundings.Machine("cpu", 2, 4096, "Linux", 2.5);
    CompareFile.open(file(), run("a", 5), false).add(point(1));
    assertThat(CompareFile.open(file(), run("a", 5, busier), false).points()).hasSize(1);
    assertThat(Files.readString(directory.resolve("deep/compare.json.run.json")))
        .as("the load before the first point stays")
        .contains("0.1")
        .doesNotContain("2.5");
    Surroundings.Machine other = new Surroundings.Machine("other", 2, 4096, "Linux", 0.1);
    assertThatThrownBy(() -> CompareFile.open(file(), run("a", 5, other), false))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("cpu, 2 cores");
  }

  @Test
  void aFileFromBeforeMachinesWereRecordedIsOfAnUnknownOne() throws Exception {
    CompareFile.open(file(), run("a", 5, null), false).add(point(1));
    assertThatThrownBy(() -> CompareFile.open(file(), run("a", 5), false))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("unknown machine");
  }

  @Test
  void aFileThatIsNoResultIsRefused() throws Exception {
    CompareFile.open(file(), run("a", 5), false);
    Files.writeString(file(), "[{\"store\": 3");
    assertThatThrownBy(() -> CompareFile.open(file(), run("a", 5), false))
        .isInstanceOf(BenchException.class)
        .hasMessageContaining("compare.json");
  }
}
