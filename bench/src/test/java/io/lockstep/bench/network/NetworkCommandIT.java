package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command with its smallest network. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class NetworkCommandIT {
  private static final List<String> FIELDS =
      List.of(
          "switches",
          "topology",
          "domains",
          "links",
          "hosts",
          "run",
          "phase",
          "seconds",
          "cpuSeconds",
          "residentMegabytes",
          "instancesPerSecond",
          "newFlows",
          "lostNewFlows",
          "p99NewFlowMillis",
          "newMasterMillis",
          "allMasteredMillis");

  /** What a phase takes that only waits; a busy machine takes some seconds. */
  private static final double MOST_SECONDS = 110;

  @TempDir private Path directory;

  private static List<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).sorted().toList();
  }

  @Test
  void tenSwitchesGoThroughAllPhases() throws Exception {
    List<Long> before = children();
    Path out = directory.resolve("network.json");
    String arguments =
        "network --switches 10 --runs 1 --rest-seconds 2 --flows-per-second 100 --out " + out;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    assertThat(children()).isEqualTo(before);
    assertThat(directory.resolve("network.failures.txt")).doesNotExist();
    Map<String, JsonNode> phases = new HashMap<>();
    for (JsonNode point : new ObjectMapper().readTree(out.toFile())) {
      assertThat(point.fieldNames()).toIterable().containsExactlyElementsOf(FIELDS);
      assertIsOfTheNetwork(point);
      assertThat(phases.put(point.path("phase").asText(), point)).isNull();
    }
    assertThat(phases)
        .containsOnlyKeys("connect", "mastered", "linked", "rest", "kill", "stop", "handBack");
    phases.forEach(NetworkCommandIT::assertIsPlausible);
    assertThat(seconds(phases, "rest")).isBetween(2.0, MOST_SECONDS);
    assertThat(seconds(phases, "handBack"))
        .as("a node gets its domain back after timeouts.handBackMillis")
        .isGreaterThan(5);
    assertMostArrive(Objects.requireNonNull(phases.get("handBack")));
  }

  /** Most flows arrive while a node returns. */
  private static void assertMostArrive(JsonNode handBack) {
    assertThat(handBack.path("newFlows").asLong()).as("%s", handBack).isGreaterThan(200);
    assertThat(handBack.path("lostNewFlows").asLong())
        .as("%s", handBack)
        .isLessThan(handBack.path("newFlows").asLong() / 2);
    assertThat(handBack.path("p99NewFlowMillis").asDouble()).as("%s", handBack).isPositive();
  }

  private static double seconds(Map<String, JsonNode> phases, String phase) {
    return Objects.requireNonNull(phases.get(phase)).path("seconds").asDouble();
  }

  private static void assertIsOfTheNetwork(JsonNode point) {
    assertThat(point.path("switches").asInt()).isEqualTo(10);
    assertThat(point.path("topology").asText()).isEqualTo("random:10");
    assertThat(point.path("domains").asInt()).isEqualTo(3);
    assertThat(point.path("links").asInt()).isEqualTo(18);
    assertThat(point.path("hosts").asInt()).isEqualTo(40);
    assertThat(point.path("run").asInt()).isEqualTo(1);
  }

  private static void assertIsPlausible(String phase, JsonNode point) {
    assertThat(point.path("seconds").asDouble(-1)).as("%s", point).isBetween(0.0, MOST_SECONDS);
    assertThat(point.path("cpuSeconds").asDouble(-1)).as("%s", point).isNotNegative();
    assertThat(point.path("residentMegabytes").asDouble()).as("%s", point).isBetween(50.0, 900.0);
    assertThat(point.path("instancesPerSecond").asDouble(-1)).as("%s", point).isNotNegative();
    boolean leaves = List.of("kill", "stop", "handBack").contains(phase);
    long sent = point.path("newFlows").asLong();
    long lost = point.path("lostNewFlows").asLong();
    for (String field :
        List.of("newFlows", "lostNewFlows", "newMasterMillis", "allMasteredMillis")) {
      assertThat(point.path(field).isNumber()).as("%s of %s", field, point).isEqualTo(leaves);
    }
    // How many are lost depends on the moment: of a short kill all may be.
    assertThat(lost).as("%s", point).isBetween(0L, sent);
    assertThat(point.path("p99NewFlowMillis").isNumber()).as("%s", point).isEqualTo(lost < sent);
    if (leaves) {
      assertThat(sent).as("%s", point).isPositive();
      double first = point.path("newMasterMillis").asDouble();
      double all = point.path("allMasteredMillis").asDouble();
      assertThat(first).as("%s", point).isBetween(0.0, all);
      assertThat(all / 1000).as("%s", point).isLessThanOrEqualTo(point.path("seconds").asDouble());
    }
  }
}
