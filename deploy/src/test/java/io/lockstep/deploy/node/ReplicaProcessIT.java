package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.CommandRun;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import io.lockstep.store.typed.TypedTable;
import io.lockstep.store.typed.Versioned;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Replicas of the store as processes of their own, a node without one, and a node alone. */
class ReplicaProcessIT {
  private static final TableDef<String, String> KEPT =
      TableDef.of("test.kept", Codec.utf8(), Codec.utf8());

  @TempDir private Path directory;

  private NodeProcess process(PortBlock ports, String id, int number) throws Exception {
    boolean node = id.startsWith("n");
    Path file = directory.resolve(id + ".yaml");
    String text =
        """
        cluster: apart
        node: %s
        replica: none
        members: [{id: n1, host: 127.0.0.1, nodePort: %d}]
        replicas:
          - {id: s1, host: 127.0.0.1, storePort: %d}
          - {id: s2, host: 127.0.0.1, storePort: %d}
          - {id: s3, host: 127.0.0.1, storePort: %d}
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        """;
    Files.writeString(
        file,
        text.formatted(
            id,
            ports.port(20),
            ports.port(1),
            ports.port(3),
            ports.port(5),
            ports.port(21),
            ports.port(10 + number)));
    return new NodeProcess(
        id,
        node ? "node" : "replica",
        file,
        directory.resolve(id + ".log"),
        "127.0.0.1:" + ports.port(10 + number));
  }

  @Test
  void aNodeTakesPartThroughReplicasElsewhereAndSurvivesTheLossOfOne() throws Exception {
    List<NodeProcess> processes = new ArrayList<>();
    try (PortBlock ports = PortBlock.take()) {
      for (int i = 1; i <= 3; i++) {
        processes.add(process(ports, "s" + i, i));
      }
      NodeProcess node = process(ports, "n1", 0);
      processes.add(node);
      processes.forEach(NodeProcess::start);
      processes.forEach(NodeProcess::awaitReady);
      assertThat(node.report().replica()).isNull();
      node.await("it has a quorum", NodeReport::quorum);

      processes.get(0).kill();
      node.await("it goes on", report -> report.quorum() && report.ready());
      processes.get(1).kill();
      node.await("it notices the loss of the quorum", report -> !report.quorum());
      processes.get(0).start();
      processes.get(1).start();
      node.awaitReady();
    } finally {
      processes.forEach(NodeProcess::close);
    }
  }

  @Test
  void aReplicaWhoseListDiffersIsNotReadyAndStatusShowsItsFile() throws Exception {
    List<NodeProcess> processes = new ArrayList<>();
    try (PortBlock ports = PortBlock.take()) {
      for (int i = 1; i <= 3; i++) {
        processes.add(process(ports, "s" + i, i));
      }
      NodeProcess node = process(ports, "n1", 0);
      processes.add(node);
      Path file = directory.resolve("s3.yaml");
      String right = Files.readString(file);
      String before = "nodePort: " + ports.port(20);
      assertThat(right).contains(before);
      Files.writeString(file, right.replace(before, "nodePort: " + ports.port(30)));
      processes.forEach(NodeProcess::start);
      node.awaitReady();
      NodeProcess s3 = processes.get(2);
      String wrong = "node n1: file 127.0.0.1, nodePort " + ports.port(30);
      s3.await(
          "s3 is not ready and says why",
          report -> String.valueOf(report.notReadyBecause()).contains(wrong));
      node.await(
          "the node says so, and is ready",
          report -> report.differences().size() == 1 && report.ready());
      CommandRun status =
          CommandRun.lockstep(
              Duration.ofMinutes(2), "status", "--timeout", "30000", "-e", node.adminEndpoint());
      assertThat(status.out()).contains("replica s3's file " + file + " differs", wrong);

      s3.kill();
      Files.writeString(file, right);
      s3.start();
      processes.forEach(NodeProcess::awaitReady);
      node.await("all agree", report -> report.differences().isEmpty());
    } finally {
      processes.forEach(NodeProcess::close);
    }
  }

  /** It is its own majority, and what it has written outlives its process. */
  @Test
  @Timeout(240)
  void aClusterOfOneServesOnItsOwn() throws Exception {
    try (PortBlock ports = PortBlock.take();
        NodeProcess node = alone(ports)) {
      node.start();
      node.awaitReady();
      NodeReport.ReplicaReport replica = Objects.requireNonNull(node.report().replica());
      assertThat(replica.leader()).isEqualTo(replica.id());
      assertThat(replica.reachable()).containsExactly(replica.id());
      assertThat(replica.quorum()).isTrue();
      long version = ask(table -> table.put("k", "v")).throwWhenUnknown().orThrow();

      node.kill();
      node.start();
      node.awaitReady();
      assertThat(ask(table -> table.get("k")).orThrow()).contains(new Versioned<>("v", version));
    }
  }

  private NodeProcess alone(PortBlock ports) throws Exception {
    Path file = directory.resolve("n1.yaml");
    String text =
        """
        cluster: alone
        node: n1
        members: [{id: n1, host: 127.0.0.1, storePort: %d}]
        openflow: {host: 127.0.0.1, port: %d}
        admin: {port: %d}
        """;
    Files.writeString(file, text.formatted(ports.port(1), ports.port(21), ports.port(10)));
    String admin = "127.0.0.1:" + ports.port(10);
    return new NodeProcess("n1", "node", file, directory.resolve("n1.log"), admin);
  }

  private <T> T ask(Function<TypedTable<String, String>, CompletableFuture<T>> question)
      throws Exception {
    try (Store store = ConfiguredStore.open(directory.resolve("n1.yaml"), 77, KEPT)) {
      return question.apply(store.table(KEPT)).get(20, TimeUnit.SECONDS);
    }
  }
}
