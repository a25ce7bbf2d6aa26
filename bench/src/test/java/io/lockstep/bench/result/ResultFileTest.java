package io.lockstep.bench.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.measure.Schedule;
import io.lockstep.bench.measure.Window;
import io.lockstep.bench.runs.Surroundings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResultFileTest {
  private static final Surroundings SOMEWHERE =
      new Surroundings(
          new Surroundings.Machine("a cpu", 2, 24_000, "Linux 6", 0.25),
          new Surroundings.Jvm("17", "a vendor", List.of("-Xmx1g")),
          new Surroundings.Commit("0123abcd", true));

  @TempDir Path directory;

  private static ResultFile file(Object... points) {
    return new ResultFile(
        "store",
        "2026-01-02T03:04:05Z",
        List.of("bench", "store"),
        SOMEWHERE,
        Map.of("seconds", 5),
        List.of(points));
  }

  @Test
  void saysWhereItComesFrom() throws IOException {
    Path target = directory.resolve("deeper/results.json");
    file().write(target);
    JsonNode json = new ObjectMapper().readTree(target.toFile());
    assertThat(json.path("benchmark").asText()).isEqualTo("store");
    assertThat(json.path("startedAt").asText()).isEqualTo("2026-01-02T03:04:05Z");
    assertThat(json.path("commandLine").path(1).asText()).isEqualTo("store");
    assertThat(json.at("/surroundings/machine/cpu").asText()).isEqualTo("a cpu");
    assertThat(json.at("/surroundings/machine/cores").asInt()).isEqualTo(2);
    assertThat(json.at("/surroundings/machine/loadAverage").asDouble()).isEqualTo(0.25);
    assertThat(json.at("/surroundings/jvm/version").asText()).isEqualTo("17");
    assertThat(json.at("/surroundings/commit/id").asText()).isEqualTo("0123abcd");
    assertThat(json.at("/surroundings/commit/dirty").asBoolean()).isTrue();
    assertThat(json.at("/parameters/seconds").asInt()).isEqualTo(5);
  }

  @Test
  void holdsThePoints() throws IOException {
    Window window = new Window(0, new Schedule(0, 2000, 10));
    window.sent(5);
    window.answered(5, 1_005);
    JsonNode point =
        new ObjectMapper().readTree(file(window.figures(64)).json()).path("points").path(0);
    assertThat(point.path("inFlight").asInt()).isEqualTo(64);
    assertThat(point.path("perSecond").asDouble()).isEqualTo(0.5);
    assertThat(point.path("p50Micros").asDouble()).isEqualTo(1.0);
    assertThat(point.path("answeredBySecond").path(0).asLong()).isEqualTo(1);
  }

  @Test
  void replacesAnEarlierFileAndLeavesNoPart() throws IOException {
    Path target = directory.resolve("results.json");
    Files.writeString(target, "old");
    file().write(target);
    assertThat(Files.readString(target)).startsWith("{").endsWith("}\n");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(target);
    }
  }

  @Test
  void namesTheFileItCannotWrite() throws IOException {
    Path inTheWay = Files.createFile(directory.resolve("plain"));
    assertThatThrownBy(() -> file().write(inTheWay.resolve("results.json")))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("plain");
  }

  @Test
  void takesStockOfThisMachine() {
    Surroundings here = Surroundings.of(directory);
    assertThat(here.machine().cores()).isPositive();
    assertThat(here.jvm().version()).isEqualTo(Runtime.version().toString());
    assertThat(here.commit()).isEqualTo(new Surroundings.Commit("unknown", true));
  }
}
