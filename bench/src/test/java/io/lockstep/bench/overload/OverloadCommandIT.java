package io.lockstep.bench.overload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import io.lockstep.bench.overload.OverloadRow.Mode;
import io.lockstep.bench.overload.OverloadRow.Protocol;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Three node processes under switches that send as much as their sockets take. */
@Tag("alone")
class OverloadCommandIT {
  @TempDir private Path directory;

  /** How fast the nodes answer depends on the machine; what they lose does not. */
  @Test
  void rowsAreMeasuredAndNothingIsLost() throws Exception {
    Path out = directory.resolve("overload.json");
    int exitCode =
        BenchMain.run(
            ("overload --switches 4 --durable false --openflow 1.3 --limits off --warmup 2"
                    + " --seconds 3 --out "
                    + out)
                .split(" "));
    assertThat(exitCode).isZero();
    JsonNode points = new ObjectMapper().readTree(out.toFile());
    assertThat(points).hasSize(2);
    for (JsonNode point : points) {
      assertThat(point).as("%s", point).noneMatch(JsonNode::isNull);
      assertThat(point.path("responsesPerSecond").asDouble()).as("%s", point).isPositive();
      assertThat(point.path("cpuMicrosPerResponse").asDouble()).as("%s", point).isPositive();
      assertThat(point.path("leasesLost").asLong()).as("%s", point).isZero();
      assertThat(point.path("leaderChanges").asLong()).as("%s", point).isZero();
      assertThat(point.path("quietP99Millis").asDouble()).as("%s", point).isBetween(0.1, 1999.0);
    }
    JsonNode latency = points.get(0);
    assertThat(latency.path("mode").asText()).isEqualTo("latency");
    assertThat(latency.path("unanswered").asLong()).isLessThanOrEqualTo(4 + 16 * 4);
    assertThat(points.get(1).path("droppedCounted").asLong()).isPositive();
  }

  /** All that was sent between two moments of silence was answered or counted. */
  @ParameterizedTest
  @CsvSource({"V10, false", "V13, true"})
  void eachPacketIsAnsweredOrCounted(Protocol protocol, boolean limits) throws Exception {
    OverloadRow row = new OverloadRow(2, false, protocol, true, Mode.THROUGHPUT, limits);
    OverloadRun.Balance balance = new OverloadRun(row, directory, 1, 2).balance();
    assertThat(balance.sent()).isGreaterThan(10_000);
    assertThat(balance.dropped()).isPositive();
    assertThat(balance.answered()).isPositive();
    assertThat(balance.answered() + balance.dropped()).isEqualTo(balance.sent());
  }

  @Test
  void wrongUsageIsRefused() {
    assertThat(BenchMain.run("overload", "--ports", "none")).isEqualTo(2);
    assertThat(BenchMain.run("overload", "--warmup", "-1")).isEqualTo(2);
  }
}
