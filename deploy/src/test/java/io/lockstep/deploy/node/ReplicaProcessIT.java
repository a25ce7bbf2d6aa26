package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.testbed.NodeProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Replicas of the store as processes of their own, and a node without one. */
class ReplicaProcessIT {
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
      assertThat(node.report().quorum()).isTrue();

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
}
