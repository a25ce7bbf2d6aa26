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

/** The story of a balanced service, as a user runs it in CI. */
@Tag("alone")
class BalancedDemoIT {

  @Test
  void theDemoPassesAndItsLastLineIsTheResult() throws Exception {
    CommandRun run =
        CommandRun.lockstep(Duration.ofMinutes(5), "demo", "--scenario", "load-balancer", "--ci");
    List<String> lines = run.out().lines().toList();
    assertThat(lines).as(run.err()).isNotEmpty();
    JsonNode result = new ObjectMapper().readTree(lines.get(lines.size() - 1));
    List<String> keys = new ArrayList<>();
    result.fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .containsExactly(
            "nodes",
            "domains",
            "members",
            "connections",
            "perMember",
            "broken",
            "killedNode",
            "killedMember",
            "takeoverMillis",
            "pass");
    assertThat(result.get("broken").asLong()).as(run.err()).isZero();
    assertThat(result.get("connections").asLong()).isGreaterThanOrEqualTo(300);
    assertThat(result.get("perMember")).hasSize(result.get("members").asInt());
    assertThat(result.get("killedMember").asText()).isEqualTo("m4");
    assertThat(run.err())
        .contains("(down)", "killed: n", "took their connections in turn")
        .doesNotContain("Exception");
    // On a machine with little time to spare a take-over may take longer than the demo allows.
    boolean isFast = result.get("takeoverMillis").asLong() < 2_000;
    assertThat(result.get("pass").asBoolean()).as(run.err()).isEqualTo(isFast);
    assertThat(run.exitCode()).isEqualTo(isFast ? ExitCode.DONE : ExitCode.FAILED);
  }

  @Test
  void anUnknownScenarioIsNamed() throws Exception {
    CommandRun run = CommandRun.lockstep(Duration.ofMinutes(1), "demo", "--scenario", "nothing");
    assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(run.err()).contains("there is no scenario 'nothing'", "load-balancer");
  }
}
