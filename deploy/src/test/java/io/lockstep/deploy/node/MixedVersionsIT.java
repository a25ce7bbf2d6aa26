package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ring of switches, every other of which speaks OpenFlow 1.0, under three real node processes.
 */
class MixedVersionsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PING = Duration.ofSeconds(2);
  private static final DomainPlan RING = new DomainPlan("ring", List.of(1L, 2L, 3L, 4L), 0);

  @TempDir private Path directory;

  @Test
  void networkOfBothVersionsIsOneNetworkAndOutlivesItsMaster() {
    Topology ring =
        Topologies.ring(4, 1).speaking(Protocol.OPENFLOW_10, one -> one.dpid() % 2 == 1);
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(RING));
        EmulatedNetwork network = EmulatedNetwork.start(ring, controllers(cluster))) {
      NodeProcess master = cluster.awaitPreferred(RING);
      assertThat(protocols(master)).contains("OpenFlow 1.0", "OpenFlow 1.3");
      awaitAllPings(cluster, network);

      master.kill();
      NodeProcess next = cluster.awaitMaster(RING);
      assertThat(next.id()).isNotEqualTo(master.id());
      awaitAllPings(cluster, network);

      // The domain goes back to its preferred master, which is alive and handed it over.
      master.start();
      cluster.awaitPreferred(RING);
      awaitAllPings(cluster, network);
    }
  }

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      addresses.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    return addresses;
  }

  private static List<String> protocols(NodeProcess node) {
    return node.logLines().stream()
        .filter(line -> line.contains(" connected from "))
        .map(line -> line.contains("OpenFlow 1.0") ? "OpenFlow 1.0" : "OpenFlow 1.3")
        .toList();
  }

  /** Links are found, hosts learned and entries installed, on switches of both versions. */
  private static void awaitAllPings(ClusterProcesses cluster, EmulatedNetwork network) {
    Await.until(
        "every host reaches every other",
        PATIENCE,
        () -> network.pingAll(PING).join().stream().allMatch(PingResult::complete),
        cluster::logs);
  }
}
