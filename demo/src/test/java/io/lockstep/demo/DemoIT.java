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

/** The demo as a user runs it in CI: a process of its own that tells the story and checks it. */
@Tag("alone")
class DemoIT {

  private static List<String> keys(JsonNode object) {
    List<String> keys = new ArrayList<>();
    object.fieldNames().forEachRemaining(keys::add);
    return keys;
  }

  @Test
  void theDemoPassesAndItsLastLineIsTheResult() throws Exception {
    CommandRun run = CommandRun.lockstep(Duration.ofMinutes(5), "demo", "--ci");
    List<String> lines = run.out().lines().toList();
    assertThat(lines).as(run.err()).isNotEmpty();
    JsonNode result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    assertThat(keys(result))
        .containsExactlyInAnyOrder(
            "nodes",
            "domains",
            "switches",
            "hosts",
            "killedNode",
            "takeoverMillis",
            "pings",
            "pass");
    assertThat(keys(result.get("pings"))).containsExactlyInAnyOrder("before", "during", "after");
    for (JsonNode phase : result.get("pings")) {
      assertThat(keys(phase)).containsExactlyInAnyOrder("sent", "lost");
    }
    assertThat(result.get("pass").asBoolean()).as(run.err()).isTrue();
    assertThat(run.exitCode()).isEqualTo(ExitCode.DONE);
    assertThat(result.get("nodes").asInt()).isEqualTo(3);
    assertThat(result.get("domains").asInt()).isEqualTo(2);
    // Usually less than a second; a lease that ran out would show here.
    assertThat(result.get("takeoverMillis").asLong()).isBetween(0L, 15_000L);
    assertThat(result.get("pings").get("before").get("lost").asLong()).isZero();
    assertThat(result.get("pings").get("after").get("lost").asLong()).isZero();
    assertThat(run.err()).doesNotContain("\033");
  }
}
