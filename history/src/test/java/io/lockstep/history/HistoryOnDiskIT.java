package io.lockstep.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with three replica processes that keep their state on disk. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class HistoryOnDiskIT {
  @TempDir Path directory;

  private static int run(String arguments) {
    return HistoryMain.run(("history " + arguments).split(" "));
  }

  private JsonNode summary() throws Exception {
    Path file = directory.resolve("run").resolve("summary.json");
    return new ObjectMapper().readTree(file.toFile());
  }

  /** What ends processes and spoils disks; one fault of each kind. */
  @Test
  void replicasComeBackFromTheirDisks() throws Exception {
    assertEachComesOnce(
        4516,
        List.of("kill", "wipe", "restart", "disk", "power", "recovery", "rollback", "replace"));
    assertThat(summary().path("state").asText()).isEqualTo("disk");
  }

  /** Faults of links and clocks; one of each kind. */
  @Test
  void replicasSurviveLateMessagesAndWrongClocks() throws Exception {
    assertEachComesOnce(321, List.of("pause", "partition", "oneway", "slow", "clock"));
    assertThat(summary().path("halts")).isEmpty();
  }

  /**
   * @param seed one with which nothing lasts longer than two seconds or so, but a loss of power of
   *     several replicas, during which no client is answered
   */
  private void assertEachComesOnce(long seed, List<String> kinds) throws Exception {
    String each = String.join(",", kinds) + " --most-faults " + kinds.size();
    String out = " --network relay --out " + directory.resolve("run");
    assertThat(run("--seconds 120 --seed " + seed + " --faults " + each + out)).isZero();
    JsonNode summary = summary();
    for (String kind : kinds) {
      assertThat(summary.path("faultsByKind").path(kind).asInt()).as(kind).isPositive();
    }
    assertThat(summary.path("unexplainedHalts").asInt()).isZero();
    assertThat(summary.path("heapLargestMegabytes").asLong())
        .isBetween(1L, summary.path("heapBoundMegabytes").asLong());
  }

  /** The other way for a disk to fail, which needs no root. */
  @Test
  void aReplicaThatCannotWriteHaltsAndComesBack() throws Exception {
    Path out = directory.resolve("run");
    String faults =
        "--seconds 60 --most-faults 1 --faults disk --seed 321 --disk-fault limit --out ";
    assertThat(run(faults + out)).isZero();
    JsonNode summary = summary();
    assertThat(summary.path("faultsByKind").path("disk").asLong()).isOne();
    assertThat(summary.path("diskFault").asText()).isEqualTo("limit");
    assertThat(summary.path("halts").path("disk").asLong()).isOne();
    assertThat(summary.path("haltReasons").get(0).path("reason").asText())
        .contains("File too large");
  }
}
