package io.lockstep.bench.peers;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import io.lockstep.bench.runs.Surroundings;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command: this build beside itself. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class ReleasesCommandIT {
  @TempDir private Path directory;

  @Test
  void aBuildIsMeasuredBesideItself() throws Exception {
    Path file = directory.resolve("releases.json");
    String arguments =
        "releases --workloads ls-ucast --flows 2 --durable false --rounds 1 --warmup 1 --windows 1"
            + " --seconds 1 --before "
            + Surroundings.root()
            + " --out "
            + file;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    JsonNode points = new ObjectMapper().readTree(file.toFile()).path("points");
    assertThat(points).hasSize(1);
    for (JsonNode point : points) {
      double before = point.path("before").path("flowsPerSecond").asDouble();
      double after = point.path("after").path("flowsPerSecond").asDouble();
      assertThat(before).isPositive();
      assertThat(point.path("flowsRatio").asDouble())
          .isBetween(0.99 * after / before, 1.01 * after / before);
      assertThat(point.path("cpuRatio").asDouble()).isPositive();
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void aDirectoryWithoutABuildAndWrongSettingsAreRefused() {
    assertThat(BenchMain.run("releases", "--before", directory.toString())).isEqualTo(1);
    String[] wrong = {"--rounds 32", "--rounds 0", "--flows 0", "--workloads nonsense"};
    for (String option : wrong) {
      String line = "releases --before " + directory + " " + option;
      assertThat(BenchMain.run(line.split(" "))).as(option).isEqualTo(2);
    }
    assertThat(BenchMain.run("releases")).as("without --before").isEqualTo(2);
  }
}
