package io.lockstep.bench.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.measure.Figures;
import io.lockstep.bench.openflow.LoadFigures;
import io.lockstep.bench.process.CpuMeter;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The command without nodes. */
class LoadBalancerCommandTest {
  private final StringWriter err = new StringWriter();

  private int run(String... arguments) {
    return new CommandLine(new LoadBalancerCommand())
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  @Test
  void aPointHasTheKeysOfTheResultFile() {
    Figures figures = new Figures(64, 4, 10, 9, 2.25, 100, 150, 200, 300, 1, List.of(9L));
    LoadFigures measured =
        new LoadFigures(
            figures, 2, new LoadFigures.Counts(1, 8, 0, 0), new CpuMeter.Use(55.5, 7.0), null);
    JsonNode point = new ObjectMapper().valueToTree(BalancerPoint.of(true, false, measured));
    List<String> keys = new ArrayList<>();
    point.fieldNames().forEachRemaining(keys::add);
    assertThat(keys)
        .containsExactlyInAnyOrder(
            "inFlight",
            "durable",
            "perSecond",
            "p50Micros",
            "p99Micros",
            "serverCpuMicros",
            "lost",
            "warm");
    assertThat(point.path("lost").asLong()).as("with what went elsewhere").isEqualTo(3);
    assertThat(point.path("warm").asBoolean(true)).isFalse();
    assertThat(point.path("serverCpuMicros").asDouble()).isEqualTo(55.5);
  }

  @Test
  void whatCannotBeMeasuredIsRefusedBeforeNodesStart() {
    assertThat(run("--ports", "3", "--hosts", "64")).isEqualTo(2);
    assertThat(err.toString()).contains("members and clients have ports of their own");
    assertThat(run("--kill", "5")).isEqualTo(2);
    assertThat(err.toString()).contains("--kill: 1000 to 131072, not 5");
    assertThat(run("--in-flight", "0")).isEqualTo(2);
    assertThat(run("--seconds", "0")).isEqualTo(2);
  }
}
