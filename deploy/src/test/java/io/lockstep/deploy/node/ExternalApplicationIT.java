package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.JarMaker;
import io.lockstep.deploy.testbed.NodeWithApplications;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An application from outside that fails on some packets, in a real node. */
class ExternalApplicationIT {
  private static final String FAILS =
      """
      if (packet.source().toLong() == 0x020000000001L) {
        throw new NoSuchMethodError("built for another version");
      }
      if (packet.source().toLong() == 0x020000000002L) {
        return null;
      }
      return Decision.PASS;
      """;

  @TempDir private Path directory;

  @Test
  void anApplicationThatFailsOnSomePacketsStopsNothingElse() throws Exception {
    Path jar = JarMaker.application(directory, "fails", FAILS, "").write("fails.jar");
    try (PortBlock ports = PortBlock.take()) {
      ClusterPlan plan =
          new ClusterPlan(
              directory,
              "apps",
              1,
              ports,
              List.of(new ClusterPlan.DomainPlan("all", List.of(1L, 2L), 0)),
              "state: memory\n");
      plan.writeConfigurations();
      List<String> line =
          new ArrayList<>(
              CommandRun.line(
                  "-Xmx256m",
                  "node",
                  "--config",
                  plan.configFile(0).toString(),
                  "--app",
                  jar.toString()));
      try (NodeWithApplications node =
          NodeWithApplications.start(
              new ProcessBuilder(line), directory.resolve("n1.log"), plan.openflowPort(0))) {
        assertThat(node.mac(0)).isEqualTo("02:00:00:00:00:01");
        node.awaitPing(2, 3);
        for (int i = 0; i < 3; i++) {
          assertThat(node.ping(0, 2)).as("its packets are dropped").isFalse();
          assertThat(node.ping(1, 2)).as("so are those without a decision").isFalse();
          assertThat(node.reaches(3, 2)).as("those of others go on").isTrue();
        }
        assertThat(node.running()).isTrue();
        assertThat(node.log())
            .contains("application fails failed on a packet", "built for another version")
            .contains("application fails decides nothing, not even to pass");
        CommandRun status =
            CommandRun.lockstep(
                Duration.ofMinutes(2), "status", "-e", plan.adminEndpoint(0), "--timeout", "30000");
        assertThat(status.out().lines())
            .anyMatch(
                failures ->
                    failures.matches(
                        "fails +n1 +[1-9][0-9]* +[0-9-]{10}T[0-9:]{8}Z  (decides nothing,"
                            + " not even to pass|failed on a packet: java.*another version)"));
      }
    }
  }
}
