package io.lockstep.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lockstep.bench.BenchMain;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The commands failover and cost at their smallest, with replica processes. */
@Timeout(value = 900, unit = TimeUnit.SECONDS)
class FailoverCommandIT {
  /** Usually a second or two, also where all are started anew. */
  private static final double MOST_STALL_MILLIS = 20_000;

  private static final double MOST_BACK_MILLIS = 60_000;

  @TempDir Path directory;

  private static int run(String arguments) {
    return BenchMain.run(arguments.split(" "));
  }

  private Path file() {
    return directory.resolve("result.json");
  }

  private JsonNode points() throws Exception {
    return new ObjectMapper().readTree(file().toFile()).path("points");
  }

  private static List<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).sorted().toList();
  }

  @Test
  void everyScenarioWithALossGivesItsPoints() throws Exception {
    List<Long> before = children();
    String tiny =
        "failover --scenarios leader,follower,stop,refill,restart --runs 1 --refill-megabytes 1"
            + " --entries 1000 --in-flight 4 --heap 128m --out ";
    assertThat(run(tiny + file())).isZero();
    assertThat(children()).isEqualTo(before);
    JsonNode points = points();
    assertThat(
            StreamSupport.stream(points.spliterator(), false).map(p -> p.path("scenario").asText()))
        .containsExactly("leader", "follower", "stop", "refill", "restart");
    for (JsonNode point : points) {
      assertIsWhole(point);
      assertThat(point.path("backMillis").asDouble()).as("%s", point).isPositive();
    }
    assertThat(points.get(0).path("leaderChanges").asLong()).isPositive();
    assertThat(points.get(0).path("usualMillis").asDouble()).isPositive();
    assertThat(points.get(1).path("usualMillis").asDouble()).isPositive();
    assertThat(points.get(2).path("leaderChanges").asLong()).isPositive();
  }

  private static void assertIsWhole(JsonNode point) {
    assertThat(point.path("run").asInt()).isEqualTo(1);
    assertThat(point.path("stallMillis").asDouble())
        .as("%s", point)
        .isPositive()
        .isLessThan(MOST_STALL_MILLIS);
    assertThat(point.path("backMillis").asDouble()).as("%s", point).isLessThan(MOST_BACK_MILLIS);
    assertThat(point.path("acknowledged").asLong()).as("%s", point).isPositive();
    assertThat(point.path("refused").isIntegralNumber()).isTrue();
    assertThat(point.path("stallFromMillis").isNumber()).isTrue();
    assertThat(point.path("stolenPercent").asDouble()).isBetween(0.0, 100.0);
  }

  /** The scenario in which nothing happens, too. */
  @Test
  void aRunGoesOnWhereItWasStopped() throws Exception {
    String line =
        "failover --scenarios calm --calm-seconds 1 --in-flight 2 --burners 1 --heap 128m --out ";
    assertThat(run(line + file())).isZero();
    assertThat(points()).hasSize(1);
    assertThat(points().get(0).path("scenario").asText()).isEqualTo("calm");
    assertIsWhole(points().get(0));
    assertThat(points().get(0).path("backMillis").asDouble()).isZero();
    ObjectMapper json = new ObjectMapper();
    ObjectNode whole = (ObjectNode) json.readTree(file().toFile());
    ((ObjectNode) ((ArrayNode) whole.path("points")).get(0)).put("acknowledged", 7);
    json.writeValue(file().toFile(), whole);
    assertThat(run(line + file() + " --resume")).isZero();
    assertThat(points()).hasSize(1);
    assertThat(points().get(0).path("acknowledged").asLong()).isEqualTo(7);
    assertThat(run(line.replace("--in-flight 2", "--in-flight 3") + file() + " --resume"))
        .isEqualTo(1);
  }

  @Test
  void costTellsWhatReplicasHold() throws Exception {
    List<Long> before = children();
    String tiny =
        "cost --entries 20000 --replicas 1 --heap 128m --churn-seconds 8 --sample-seconds 1"
            + " --snapshot-megabytes 1 --out ";
    assertThat(run(tiny + file())).isZero();
    assertThat(children()).isEqualTo(before);
    JsonNode points = points();
    String phases =
        StreamSupport.stream(points.spliterator(), false)
            .map(point -> point.path("phase").asText())
            .distinct()
            .collect(Collectors.joining(","));
    assertThat(phases).isEqualTo("empty,filled,restarted,churn,slope");
    assertThat(points.get(1).path("bytesPerEntry").asDouble()).isBetween(100.0, 1_000.0);
    assertThat(points.get(1).path("residentMegabytes").asDouble()).isBetween(20.0, 1_000.0);
    assertThat(points.get(2).path("recoveryMillis").asDouble()).isPositive();
    JsonNode slope = points.get(points.size() - 1);
    assertThat(slope.path("looks").asInt()).isGreaterThan(1);
    assertThat(points.get(points.size() - 2).path("snapshots").asLong()).isPositive();
    assertThat(points.get(points.size() - 2).path("snapshotMillis").asLong()).isPositive();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "failover --replicas 2 | --replicas: 3 or 5, not 2",
        "failover --runs 0 | --runs: at least 1, not 0",
        "failover --scenarios quake | --scenarios",
        "failover --scenarios restart --durable false | needs --durable true",
        "cost --replicas 4 | --replicas: 1, 3 or 5, not 4",
        "cost --entries 0 | at least 1",
        "cost --entries many | --entries",
      })
  void whatCannotBeIsRefused(String arguments, String complaint) {
    PrintStream before = System.err;
    ByteArrayOutputStream said = new ByteArrayOutputStream();
    System.setErr(new PrintStream(said, true, StandardCharsets.UTF_8));
    try {
      assertThat(run(arguments)).isEqualTo(2);
    } finally {
      System.setErr(before);
    }
    assertThat(said.toString(StandardCharsets.UTF_8)).contains(complaint);
  }
}
