package io.lockstep.bench.switchmodel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SwitchModelCommandTest {
  @TempDir private Path directory;

  private int run(String arguments) {
    Path file = directory.resolve("out.json");
    return BenchMain.run(("switch-model " + arguments + " --out " + file).split(" "));
  }

  private JsonNode points() throws IOException {
    return new ObjectMapper().readTree(directory.resolve("out.json").toFile());
  }

  @Test
  void theListHasAllPointsAndEachFigureAPicture() throws IOException {
    assertThat(run("--figures 2,4 --seconds 2")).isZero();
    List<String> fifthPercents = new ArrayList<>();
    for (JsonNode point : points()) {
      assertThat(point.fieldNames())
          .toIterable()
          .containsExactlyInAnyOrder("figure", "profile", "x", "value", "unit", "paper");
      if (point.get("figure").asText().equals("2") && point.get("x").asInt() == 5) {
        fifthPercents.add(point.get("profile").asText() + " " + point.get("value").asInt());
      }
    }
    assertThat(fifthPercents).containsExactly("2920 23", "3500yl-1.0 76");
    assertThat(directory.resolve("out.json.run.json")).exists();
    assertThat(Files.readString(directory.resolve("out.fig2.svg"))).contains("2920", "</svg>");
    assertThat(directory.resolve("out.fig4.svg")).exists();
    assertThat(directory.resolve("out.fig3.svg")).doesNotExist();
  }

  /** The longest simulation of all, and there is no smaller one of its kind. */
  @Test
  void promotionByEveryProfileStaysWithinTheTolerance() {
    assumeTrue(
        Integer.getInteger("lockstep.sim.percent", 100) == 100,
        "a long simulation: ./lockstep test runs it");
    assertThat(run("--figures 7 --seconds 2")).isZero();
  }

  @Test
  void promotionTakesTheThroughputToTheLineAndTheDeadRuleToNothing() throws IOException {
    assertThat(run("--figures 8 --seconds 2")).isZero();
    double highest = 0;
    int silent = 0;
    for (JsonNode point : points()) {
      if (point.get("figure").asText().equals("8")) {
        highest = Math.max(highest, point.get("value").asDouble());
        silent += point.get("value").asDouble() == 0 ? 1 : 0;
      }
    }
    assertThat(highest).isGreaterThan(940);
    assertThat(silent).isGreaterThanOrEqualTo(9);
  }

  @Test
  void aFigureOutsideItsToleranceIsAFailureWithItsNumbersWritten() throws IOException {
    assertThat(run("--figures 5 --seconds 2 --tolerance 1")).isEqualTo(1);
    assertThat(points()).isNotEmpty();
  }

  @Test
  void wrongOptionsAreWrongUsage() {
    assertThat(run("--figures 1")).isEqualTo(2);
    assertThat(run("--figures 2 --seconds 0")).isEqualTo(2);
  }
}
