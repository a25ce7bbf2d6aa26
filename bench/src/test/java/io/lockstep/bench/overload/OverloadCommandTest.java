package io.lockstep.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.overload.OverloadPoint.Reading;
import io.lockstep.bench.runs.BenchException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The command without nodes. */
class OverloadCommandTest {
  private static final Reading FROM = new Reading(0, 100, 50, 1_000_000, 10, 3, 2);

  @TempDir private Path directory;
  private final List<OverloadRow> run = new ArrayList<>();

  private static OverloadPoint point(OverloadRow row, int seconds) {
    Reading to = new Reading(seconds * 1_000_000_000L, 1_100, 250, 5_000_000, 710, 4, 2);
    return OverloadPoint.of(row, FROM, to, 7.25, 210.04);
  }

  private int execute(OverloadCommand.Runner runner, String... options) {
    List<String> arguments = new ArrayList<>(List.of(options));
    arguments.addAll(List.of("--out", directory.resolve("overload.json").toString()));
    return new CommandLine(new OverloadCommand(runner)).execute(arguments.toArray(String[]::new));
  }

  private OverloadPoint measured(OverloadRow row, Path nodes, int warmUpSeconds, int seconds) {
    run.add(row);
    return point(row, seconds);
  }

  private JsonNode points() throws Exception {
    return new ObjectMapper().readTree(directory.resolve("overload.json").toFile());
  }

  @Test
  void withoutOptionsThereAreSixteenRowsAndNoFigureIsNull() throws Exception {
    assertThat(execute(this::measured)).isZero();
    assertThat(run).hasSize(16).doesNotHaveDuplicates().allMatch(row -> row.switches() == 16);
    JsonNode points = points();
    assertThat(points).hasSize(16);
    for (JsonNode point : points) {
      assertThat(point).noneMatch(JsonNode::isNull);
      assertThat(point.fieldNames())
          .toIterable()
          .containsExactly(
              "switches",
              "durable",
              "openFlow",
              "ports",
              "mode",
              "limits",
              "seconds",
              "responsesPerSecond",
              "cpuMicrosPerResponse",
              "droppedCounted",
              "unanswered",
              "leaderChanges",
              "leasesLost",
              "quietP99Millis",
              "residentMegabytes");
    }
    assertThat(directory.resolve("overload.json.run.json")).exists();
  }

  @Test
  void optionsChooseRowsAndFiguresAreDifferences() throws Exception {
    int exitCode =
        execute(
            this::measured,
            "--switches",
            "1,4",
            "--durable",
            "true",
            "--openflow",
            "1.3",
            "--ports",
            "one",
            "--mode",
            "throughput",
            "--limits",
            "off",
            "--seconds",
            "2");
    assertThat(exitCode).isZero();
    assertThat(run).extracting(OverloadRow::switches).containsExactly(1, 4);
    JsonNode point = points().get(1);
    assertThat(point.path("durable").asBoolean()).isTrue();
    assertThat(point.path("openFlow").asText()).isEqualTo("1.3");
    assertThat(point.path("ports").asText()).isEqualTo("one");
    assertThat(point.path("mode").asText()).isEqualTo("throughput");
    assertThat(point.path("limits").asText()).isEqualTo("off");
    assertThat(point.path("responsesPerSecond").asDouble()).isEqualTo(100);
    assertThat(point.path("cpuMicrosPerResponse").asDouble()).isEqualTo(20);
    assertThat(point.path("droppedCounted").asLong()).isEqualTo(700);
    assertThat(point.path("unanswered").asLong()).isEqualTo(800);
    assertThat(point.path("leaderChanges").asLong()).isEqualTo(1);
    assertThat(point.path("leasesLost").asLong()).isZero();
  }

  @Test
  void rowThatCannotBeMeasuredIsNamedAndTheOthersGoOn() throws Exception {
    int exitCode =
        execute(
            (row, nodes, warmUp, seconds) -> {
              if (row.limits()) {
                throw new BenchException("no node masters it");
              }
              return measured(row, nodes, warmUp, seconds);
            },
            "--durable",
            "false",
            "--openflow",
            "1.0",
            "--mode",
            "latency");
    assertThat(exitCode).isEqualTo(1);
    assertThat(points()).hasSize(1);
    assertThat(Files.readString(directory.resolve("overload.failures.txt")))
        .contains("limits=true", "no node masters it");
  }

  @Test
  void wrongUsageIsRefused() {
    assertThat(execute(this::measured, "--mode", "loud")).isEqualTo(2);
    assertThat(execute(this::measured, "--durable", "yes")).isEqualTo(2);
    assertThat(execute(this::measured, "--switches", "0")).isEqualTo(2);
    assertThat(execute(this::measured, "--seconds", "0")).isEqualTo(2);
    assertThat(run).isEmpty();
  }

  @Test
  void configurationSaysOnlyWhatIsUnusual() {
    OverloadRow usual =
        new OverloadRow(1, true, OverloadRow.Protocol.V10, false, OverloadRow.Mode.LATENCY, true);
    assertThat(usual.configuration()).isEmpty();
  }

  @Test
  void dropsOfAllSwitchesAndPortsAreSummed() {
    String metrics =
        """
        # TYPE lockstep_packet_ins_dropped_total counter
        lockstep_packet_ins_dropped_total{switch="0000000000000001",port="1",reason="port_quota"} 5
        lockstep_packet_ins_dropped_total{switch="other",port="other",reason="switch_waits"} 37
        lockstep_packet_ins_total{what="too_many_asks"} 99
        """;
    assertThat(NodeReadings.dropped(metrics)).isEqualTo(42);
  }
}
