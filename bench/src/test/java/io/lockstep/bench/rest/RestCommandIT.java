package io.lockstep.bench.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The whole command, with little load. */
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class RestCommandIT {
  @TempDir private Path directory;

  @Test
  void requestsAndFlowsAreMeasuredTogether() throws Exception {
    Path file = directory.resolve("rest.json");
    String arguments =
        "rest --flows-per-second 100 --requests-per-second 110 --rounds 1 --warmup 1 --seconds 2"
            + " --out "
            + file;
    assertThat(BenchMain.run(arguments.split(" "))).isZero();
    JsonNode point = new ObjectMapper().readTree(file.toFile()).path("points").path(0);
    for (String part : new String[] {"alone", "beside", "reads", "writes"}) {
      assertThat(point.path(part).path("answered").asLong()).as(part).isPositive();
      assertThat(point.path(part).path("lost").asLong()).as(part).isZero();
    }
    assertThat(ProcessHandle.current().children()).isEmpty();
  }

  @Test
  void wrongSettingsAreRefused() {
    for (String option :
        new String[] {"--rounds 0", "--flows-per-second 0", "--requests-per-second 10001"}) {
      assertThat(BenchMain.run(("rest " + option).split(" "))).as(option).isEqualTo(2);
    }
  }
}
