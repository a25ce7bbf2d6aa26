package io.lockstep.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with three node processes for each attack. */
class AbuseCommandIT {
  private static final List<String> FIELDS =
      List.of(
          "attack",
          "unit",
          "sent",
          "contained",
          "nodeRestarts",
          "othersLost",
          "othersP99Millis",
          "usualP99Millis",
          "heapMegabytes",
          "logLinesPerMinute");

  @TempDir private Path directory;

  /**
   * What the others lose, and when they are answered, depends on the machine; that no node ends
   * does not.
   */
  @Test
  void attacksEndNoNode() throws Exception {
    Path out = directory.resolve("abuse.json");
    int exitCode =
        BenchMain.run(
            ("abuse --attacks stolen-addresses,lost-entries,relayed-probes --seconds 1 --out "
                    + out)
                .split(" "));
    JsonNode points = new ObjectMapper().readTree(out.toFile());
    assertThat(points).hasSize(3);
    boolean contained = true;
    for (JsonNode point : points) {
      assertThat(point.fieldNames()).toIterable().containsExactlyElementsOf(FIELDS);
      assertThat(point).as("%s", point).noneMatch(JsonNode::isNull);
      assertThat(point.path("sent").asLong()).as("%s", point).isPositive();
      assertThat(point.path("nodeRestarts").asInt()).as("%s", point).isZero();
      assertThat(point.path("othersP99Millis").isNumber()).as("%s", point).isTrue();
      if (point.path("othersLost").asLong() == 0) {
        assertThat(point.path("othersP99Millis").asDouble()).as("%s", point).isPositive();
      }
      assertThat(point.path("usualP99Millis").isNumber()).as("%s", point).isTrue();
      assertThat(point.path("heapMegabytes").asDouble()).as("%s", point).isBetween(5.0, 250.0);
      contained &= point.path("contained").asBoolean();
    }
    assertThat(exitCode).isEqualTo(contained ? 0 : 1);
  }

  @Test
  void wrongUsageIsRefused() {
    assertThat(BenchMain.run("abuse", "--attacks", "tickle")).isEqualTo(2);
    assertThat(BenchMain.run("abuse", "--seconds", "0")).isEqualTo(2);
  }
}
