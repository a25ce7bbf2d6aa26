package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three real node processes: loss and return of nodes, as an operator sees it. */
class ClusterIT {
  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final long MEMORY_FOR_THREE_KILOBYTES = 1_500_000;
  private static final List<DomainPlan> DOMAINS = List.of(new DomainPlan("west", List.of(1L), 0));

  @TempDir private Path directory;

  private static CommandRun status(ClusterProcesses cluster, String... more) throws Exception {
    List<String> line = new ArrayList<>(List.of("status", "-e", cluster.endpoints()));
    line.addAll(List.of("--timeout", "30000"));
    line.addAll(List.of(more));
    return CommandRun.lockstep(DEADLINE, line.toArray(new String[0]));
  }

  /** Asks until there is a quorum: where a leader was lost, another one may be on its way. */
  private static CommandRun awaitQuorum(ClusterProcesses cluster) {
    CommandRun[] last = new CommandRun[1];
    Await.until(
        "the status says that there is a quorum",
        DEADLINE,
        () -> {
          last[0] = status(cluster);
          return last[0].exitCode() == ExitCode.DONE;
        },
        cluster::logs);
    return last[0];
  }

  /** Asks n1 alone until it has the others' summaries: a node writes its own now and then. */
  private static CommandRun awaitSummaries(ClusterProcesses cluster) {
    CommandRun[] last = new CommandRun[1];
    Await.until(
        "n1 shows a summary of n2 and of n3, and reaches both",
        DEADLINE,
        () -> {
          last[0] =
              CommandRun.lockstep(
                  DEADLINE, "status", "-e", cluster.plan().adminEndpoint(0), "--timeout", "30000");
          return !last[0].out().contains("not asked") && last[0].out().contains(" 3 of 3 ");
        },
        cluster::logs);
    return last[0];
  }

  @Test
  void aClusterLosesItsQuorumAndHealsWithoutHelp() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, DOMAINS)) {
      long memory = 0;
      for (NodeProcess node : cluster.nodes()) {
        memory += node.residentKilobytes();
        assertThat(node.logLines())
            .anyMatch(line -> line.contains("state is on disk, in "))
            .allMatch(line -> line.matches("[0-9-]{10}T[0-9:.]{12}Z [A-Z]+ .*"));
      }
      assertThat(memory).isLessThan(MEMORY_FOR_THREE_KILOBYTES);

      CommandRun all = status(cluster, "-o", "json");
      assertThat(all.exitCode()).isEqualTo(ExitCode.DONE);
      JsonNode json = new ObjectMapper().readTree(all.out());
      assertThat(json.get("schema").asInt()).isEqualTo(1);
      assertThat(json.get("quorum").asBoolean()).isTrue();
      assertThat(json.get("answers")).hasSize(3);

      CommandRun first = awaitSummaries(cluster);
      assertThat(first.out().lines())
          .anyMatch(line -> line.matches("n1 .* operational +n[123] +[0-9]+ +3 of 3 .*"))
          .anyMatch(line -> line.matches("n2 +its summary, .* old +yes +operational +n[123] .*"))
          .noneMatch(line -> line.contains("not asked"));

      cluster.node(2).kill();
      cluster.node(0).awaitLog("replica n3 is unreachable");
      CommandRun two = awaitQuorum(cluster);
      assertThat(two.exitCode()).isEqualTo(ExitCode.DONE);
      assertThat(two.out())
          .contains("Cluster test: quorum")
          .contains("no answer from " + cluster.plan().adminEndpoint(2))
          .containsPattern("n3 +no answer ");

      assertThat(cluster.node(0).logLines())
          .as("no record of the program in a line for operators")
          .noneMatch(line -> line.matches(".* [A-Z][A-Za-z]+\\[[^\\]]*\\].*"));

      cluster.node(1).kill();
      cluster.node(0).await("it has no quorum", report -> !report.quorum());
      CommandRun one = status(cluster);
      assertThat(one.exitCode()).isEqualTo(ExitCode.NO_QUORUM);
      assertThat(one.out()).startsWith("Cluster test: NO QUORUM");
      assertThat(one.err()).contains("no quorum");
      assertThat(cluster.node(0).running()).isTrue();

      cluster.node(1).start();
      cluster.node(2).start();
      cluster.awaitReady();
      assertThat(awaitQuorum(cluster).exitCode()).isEqualTo(ExitCode.DONE);
    }
  }

  @Test
  void aNodeWhosePeersAreNotThereStaysUpAndSaysSoOnce() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.prepare(directory, DOMAINS, "")) {
      NodeProcess alone = cluster.node(0);
      alone.start();
      alone.awaitLog("replica n2 is unreachable");
      alone.awaitLog("replica n3 is unreachable");
      alone.await("it shows that it is alone", report -> !report.quorum() && !report.ready());
      CommandRun status = status(cluster);
      assertThat(status.exitCode()).isEqualTo(ExitCode.NO_QUORUM);

      cluster.node(1).start();
      cluster.node(2).start();
      cluster.awaitReady();
      assertThat(alone.logLines().stream().filter(line -> line.contains("n2 is unreachable")))
          .hasSize(1);
    }
  }

  @Test
  void aNodeEndsWithItsLauncherAndOnSignal() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.prepare(directory, DOMAINS, "")) {
      NodeProcess orphan = cluster.node(0);
      orphan.start();
      orphan.awaitLog("listening: OpenFlow");
      orphan.process().getOutputStream().close();
      assertThat(orphan.process().waitFor(90, TimeUnit.SECONDS)).as(orphan.lastLines()).isTrue();
      assertThat(orphan.process().exitValue()).isEqualTo(ExitCode.DONE);

      NodeProcess stopped = cluster.node(1);
      stopped.start();
      stopped.awaitLog("listening: OpenFlow");
      // By the signal, or by the end of its input, whichever it noticed first.
      assertThat(stopped.stop()).isIn(143, ExitCode.DONE);
    }
  }
}
