package io.lockstep.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.CommandRun;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The story of two switches with bounded tables, as a user runs it in CI. */
@Tag("alone")
class TablesDemoIT {

  @Test
  void heavyRoutesMoveIntoHardwareAndTheLastLineIsTheResult() throws Exception {
    CommandRun run =
        CommandRun.lockstep(Duration.ofMinutes(5), "demo", "--scenario", "tables", "--ci");
    List<String> lines = run.out().lines().toList();
    assertThat(lines).as(run.err()).isNotEmpty();
    JsonNode result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    List<String> keys = new ArrayList<>();
    result.fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .containsExactly(
            "nodes",
            "switches",
            "routes",
            "installed",
            "shareBefore",
            "shareAfter",
            "mbitBefore",
            "mbitAfter",
            "cpuBefore",
            "cpuAfter",
            "largeShare",
            "movedMillis",
            "pass");
    assertThat(result.get("installed").asInt()).as(run.err()).isEqualTo(120);
    assertThat(result.get("shareAfter").asDouble())
        .as(run.err())
        .isGreaterThan(2 * result.get("shareBefore").asDouble());
    assertThat(result.get("pass").asBoolean()).as(run.err()).isTrue();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(run.err())
        .contains("the heavy routes are in hardware after", "3500yl:", "5130: 100 % in hardware")
        .doesNotContain("Exception");
  }
}
