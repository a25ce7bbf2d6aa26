package io.lockstep.bench.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.bench.BenchMain;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three node processes that balance connections from three domains, and one of them is killed. */
class LoadBalancerKillIT {
  /** They are opened in four seconds, so that the node is killed before the last of them. */
  private static final int CONNECTIONS = 10_000;

  @TempDir private Path directory;

  @Test
  void connectionsStayAndTheOrderOfTakesIsExactWhereANodeIsKilled() throws Exception {
    Path out = directory.resolve("kill.json");
    int exitCode =
        BenchMain.run(
            "load-balancer", "--kill", Integer.toString(CONNECTIONS), "--out", out.toString());
    JsonNode points = new ObjectMapper().readTree(out.toFile());
    assertThat(exitCode).as("%s", points).isZero();
    assertThat(points).hasSize(1);
    JsonNode point = points.get(0);
    assertThat(point.path("pass").asBoolean()).as("%s", point).isTrue();
    assertThat(point.path("connections").asInt()).isBetween(CONNECTIONS, CONNECTIONS + 32);
    assertThat(point.path("open").asInt()).isEqualTo(point.path("connections").asInt());
    assertThat(point.path("broken").asInt(-1)).isZero();
    assertThat(point.path("otherMember").asInt(-1)).isZero();
    assertThat(point.path("wrongTakes").asInt(-1)).isZero();
    assertThat(point.path("killedNode").asText()).isEqualTo("n1");
    assertThat(point.path("killedAt").asInt())
        .as("%s", point)
        .isGreaterThanOrEqualTo(CONNECTIONS / 2)
        .isLessThan(CONNECTIONS);
  }
}
