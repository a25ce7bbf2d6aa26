package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A host that sends with the address of another, in a ring of switches of OpenFlow 1.0 and 1.3
 * whose halves have masters of their own: the other host keeps its traffic.
 */
@Tag("alone")
class HostHijackIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PING = Duration.ofSeconds(20);
  private static final DomainPlan LEFT = new DomainPlan("left", List.of(1L, 2L), 0);
  private static final DomainPlan RIGHT = new DomainPlan("right", List.of(3L, 4L), 1);
  private static final int ROUNDS = 10;

  @TempDir private Path directory;

  @Test
  void hostThatIsAwakeKeepsItsTraffic() {
    Topology ring =
        Topologies.ring(4, 1).speaking(Protocol.OPENFLOW_10, one -> one.dpid() % 2 == 1);
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(LEFT, RIGHT));
        EmulatedNetwork network = EmulatedNetwork.start(ring, controllers(cluster))) {
      cluster.awaitPreferred(LEFT);
      cluster.awaitPreferred(RIGHT);
      Await.until(
          "every host reaches every other",
          PATIENCE,
          () ->
              network.pingAll(Duration.ofSeconds(2)).join().stream().allMatch(PingResult::complete),
          cluster::logs);
      List<EmulatedHost> hosts = List.copyOf(network.hosts());

      // The attacker's and the victim's switch speak 1.0 and 1.0, 1.3 and 1.3, then one of each.
      attack(network, hosts.get(2), hosts.get(0), hosts.get(1));
      attack(network, hosts.get(3), hosts.get(1), hosts.get(0));
      attack(network, hosts.get(3), hosts.get(0), hosts.get(2));
      attack(network, hosts.get(0), hosts.get(3), hosts.get(1));
    }
  }

  private static void attack(
      EmulatedNetwork network, EmulatedHost attacker, EmulatedHost victim, EmulatedHost third) {
    int lost = 0;
    for (int i = 0; i < ROUNDS; i++) {
      attacker.sendFrame(broadcastFrom(victim.mac()));
      lost += network.ping(third.name(), victim.name(), PING).join().complete() ? 0 : 1;
    }
    assertThat(lost).as("pings from %s to %s that %s drew away", third, victim, attacker).isZero();
  }

  /** A frame that says nothing but its source. */
  private static byte[] broadcastFrom(Mac source) {
    return ByteBuffer.allocate(60)
        .putShort((short) -1)
        .putInt(-1)
        .putShort((short) (source.value() >>> 32))
        .putInt((int) source.value())
        .putShort((short) 0x88b5)
        .array();
  }

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      addresses.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    return addresses;
  }
}
