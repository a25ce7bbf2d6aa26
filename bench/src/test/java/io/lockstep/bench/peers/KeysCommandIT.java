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

/** The whole command: this build without and with keys. */
@Timeout(value = 600, unit = TimeUnit.SECONDS)
class KeysCommandIT {
  @TempDir private Path directory;

  @Test
  void bothSidesAreMeasured() throws Exception {
    Path file = directory.resolve("keys.json");
    String arguments = "keys --flows 2 --rounds 1 --warmup 1 --windows 1 --seconds 1 --out " + file;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    JsonNode points = new ObjectMapper().readTree(file.toFile()).path("points");
    assertThat(points).hasSize(1);
    double without = points.path(0).path("before").path("flowsPerSecond").asDouble();
    double with = points.path(0).path("after").path("flowsPerSecond").asDouble();
    assertThat(without).isPositive();
    assertThat(points.path(0).path("flowsRatio").asDouble())
        .isBetween(0.99 * with / without, 1.01 * with / without);
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void wrongSettingsAreRefused() {
    for (String option : new String[] {"--rounds 32", "--rounds 0", "--flows 0", "--windows 0"}) {
      assertThat(BenchMain.run(("keys " + option).split(" "))).as(option).isEqualTo(2);
    }
  }
}
