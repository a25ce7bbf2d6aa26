package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an operator sees and changes of a whole cluster through one node of it. */
class ClusterViewIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DomainPlan ALL = new DomainPlan("all", List.of(1L, 2L), 0);
  private static final int PRIORITY = 4_321;

  @TempDir private Path directory;

  private static CommandRun run(ClusterProcesses cluster, int node, String... words)
      throws Exception {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-e", cluster.plan().adminEndpoint(node), "--timeout", "30000"));
    return CommandRun.lockstep(PATIENCE, line.toArray(String[]::new));
  }

  private static JsonNode items(ClusterProcesses cluster, int node, String... words)
      throws Exception {
    List<String> line = new ArrayList<>(List.of(words));
    line.addAll(List.of("-o", "json"));
    CommandRun run = run(cluster, node, line.toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.DONE);
    return new ObjectMapper().readTree(run.out()).path("items");
  }

  /** The same without a process. */
  private static JsonNode read(ClusterProcesses cluster, int node, String below)
      throws java.io.IOException {
    return new AdminClient(cluster.plan().adminEndpoint(node), 30_000).resource(below).body();
  }

  private static boolean isInSwitch(EmulatedNetwork network) {
    return network
        .switchNamed("s1")
        .inspect(
            model ->
                model.pipeline().tables().get(0).entries().stream()
                    .anyMatch(entry -> entry.priority() == PRIORITY))
        .join();
  }

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    return IntStream.range(0, cluster.plan().nodes())
        .mapToObj(
            i ->
                new InetSocketAddress(
                    InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)))
        .toList();
  }

  @Test
  void oneNodeShowsAndChangesWhatAllHave() throws Exception {
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(ALL));
        EmulatedNetwork network =
            EmulatedNetwork.start(Topologies.linear(2, 1), controllers(cluster))) {
      cluster.awaitPreferred(ALL);
      Await.until(
          "h1 reaches h2",
          PATIENCE,
          () -> network.ping("h1", "h2", Duration.ofSeconds(2)).join().complete(),
          cluster::logs);
      lists(cluster);
      CompletableFuture<List<String>> events = follow(cluster);
      flows(cluster, network);
      path(cluster);
      assertThat(events.get(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS))
          .anyMatch(line -> line.contains("rule_added"));

      versions(cluster);
      cluster.node(0).kill();
      Await.until(
          "n2 lists n1 as absent",
          PATIENCE,
          () -> !read(cluster, 1, "nodes").get(0).path("alive").asBoolean(),
          cluster::logs);
      assertThat(run(cluster, 1, "nodes").out()).containsPattern("n1 .* absent ");
      CommandRun doctor = run(cluster, 1, "doctor");
      assertThat(doctor.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(doctor.out()).containsPattern("error +n1 +it is absent");
      Await.until(
          "n1 is not linked",
          PATIENCE,
          () -> run(cluster, 1, "upgrade", "status").out().contains("not linked"),
          cluster::logs);
      CommandRun early = run(cluster, 1, "upgrade", "activate", "3");
      assertThat(early.exitCode()).isEqualTo(ExitCode.FAILED);
      assertThat(early.err()).contains("node n1 is not linked", "nothing was changed");
      assertThat(isInSwitch(network)).as("the flow outlives the master").isTrue();
      assertThat(run(cluster, 2, "flows", "remove", "web").out()).contains("web is removed");
      Await.until("the switch lost it", PATIENCE, () -> !isInSwitch(network), cluster::logs);
    }
  }

  /** All run one release, so there is nothing to activate. */
  private static void versions(ClusterProcesses cluster) throws Exception {
    CommandRun[] last = new CommandRun[1];
    Await.until(
        "n2 is linked to the others",
        PATIENCE,
        () -> {
          last[0] = run(cluster, 1, "upgrade", "status");
          return last[0].exitCode() == ExitCode.DONE && !last[0].out().contains("not linked");
        },
        cluster::logs);
    assertThat(last[0].out())
        .containsPattern("n1 +\\S+ +1-2 +2 +-")
        .containsPattern("n3 +\\S+ +1-2 +2 +-")
        .contains("The cluster is at version 2, the newest that every node knows.");
    assertThat(run(cluster, 1, "upgrade", "activate").exitCode()).isEqualTo(ExitCode.DONE);
    CommandRun newer = run(cluster, 1, "upgrade", "activate", "3");
    assertThat(newer.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(newer.err()).contains("knows versions up to 2, not 3", "nothing was changed");
  }

  private static void lists(ClusterProcesses cluster) throws Exception {
    Await.until(
        "n2 knows what all nodes say of themselves",
        PATIENCE,
        () -> {
          for (JsonNode row : read(cluster, 1, "nodes")) {
            if (!row.path("self").path("ready").asBoolean()) {
              return false;
            }
          }
          return true;
        },
        cluster::logs);
    Await.until(
        "n2 and n3 know the network, as the master does",
        PATIENCE,
        () ->
            read(cluster, 2, "switches").size() == 2
                && read(cluster, 1, "links").size() == 2
                && read(cluster, 1, "hosts").size() == 2,
        cluster::logs);
    assertThat(items(cluster, 1, "nodes")).hasSize(3);
    assertThat(items(cluster, 2, "switches", "--switch", "2")).hasSize(1);
    assertThat(items(cluster, 1, "links", "--switch", "1")).hasSize(2);
    assertThat(items(cluster, 1, "hosts", "--switch", "1")).hasSize(1);
    assertThat(run(cluster, 1, "nodes", "-o", "wide").out().lines().findFirst().orElse(""))
        .contains("VERSION", "HEAP", "DISK FREE");
    assertThat(run(cluster, 1, "apps", "-o", "yaml").out()).startsWith("schema: lockstep.apps/1");
  }

  private static CompletableFuture<List<String>> follow(ClusterProcesses cluster) {
    List<String> seen = new CopyOnWriteArrayList<>();
    CompletableFuture<Void> begun = new CompletableFuture<>();
    CompletableFuture<List<String>> events =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                new AdminClient(cluster.plan().adminEndpoint(1), 30_000)
                    .follow(
                        "?kinds=flow",
                        "",
                        line -> {
                          begun.complete(null);
                          seen.add(line);
                          return !line.contains("rule_added");
                        });
              } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
              return seen;
            });
    begun.orTimeout(PATIENCE.toSeconds(), java.util.concurrent.TimeUnit.SECONDS).join();
    return events;
  }

  private static void flows(ClusterProcesses cluster, EmulatedNetwork network) throws Exception {
    String[] add = {
      "flows",
      "add",
      "web",
      "--switch",
      "1",
      "--priority",
      "" + PRIORITY,
      "--match",
      "eth_type=0x800,ipv4_dst=10.9.9.9",
      "--action",
      "output:1"
    };
    CommandRun added = run(cluster, 1, add);
    assertThat(added.exitCode()).as(added.err()).isEqualTo(ExitCode.DONE);
    assertThat(run(cluster, 1, add).exitCode()).as("the same again").isEqualTo(ExitCode.DONE);
    Await.until(
        "n3 shows that the switch confirmed it",
        PATIENCE,
        () -> {
          JsonNode rows = read(cluster, 2, "flows?switch=1&app=static").path("items");
          return rows.size() == 1 && rows.get(0).path("state").asText().equals("added");
        },
        cluster::logs);
    assertThat(items(cluster, 2, "flows", "--switch", "1", "--app", "static")).hasSize(1);
    assertThat(isInSwitch(network)).isTrue();
    CommandRun wrong =
        run(cluster, 1, "flows", "add", "x", "--switch", "1", "--action", "output:next");
    assertThat(wrong.exitCode()).isEqualTo(ExitCode.USAGE);
    assertThat(wrong.err()).contains("output: 'next' is not allowed", "remedy: output: give");
  }

  private static void path(ClusterProcesses cluster) throws Exception {
    JsonNode hosts = read(cluster, 1, "hosts");
    String from = hosts.get(0).path("mac").asText();
    String to = hosts.get(1).path("mac").asText();
    JsonNode found = items(cluster, 1, "path", "find", from, to);
    assertThat(found.get(0).path("links").asInt()).isEqualTo(1);
    assertThat(found.get(0).path("hops")).hasSize(2);
    CommandRun installed = run(cluster, 1, "path", "install", "direct", from, to);
    assertThat(installed.exitCode()).as(installed.err()).isEqualTo(ExitCode.DONE);
    for (int node : new int[] {1, 2}) {
      Await.until(
          "n" + (node + 1) + " shows that the path is steady",
          PATIENCE,
          () -> {
            JsonNode row = read(cluster, node, "paths").path("items").path(0);
            return row.path("state").path("phase").asText().equals("steady");
          },
          cluster::logs);
    }
    JsonNode listed = items(cluster, 2, "path", "list");
    assertThat(listed.get(0).path("id").asText()).isEqualTo("direct");
    assertThat(listed.get(0).path("state").path("phase").asText()).isEqualTo("steady");
    assertThat(run(cluster, 1, "path", "remove", "direct").exitCode()).isEqualTo(ExitCode.DONE);
  }
}
