package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.FrameTrace;
import io.lockstep.dataplane.network.Hop;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.Packet;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.HostSpec;
import io.lockstep.dataplane.topology.Topology.PortRef;
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
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * One address in two VLANs, and a third time without a tag, at hosts of a ring of switches of
 * OpenFlow 1.0 and 1.3: what is sent to it arrives in its VLAN, with its tag, and nowhere else.
 */
class SameAddressInTwoVlansIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration ARRIVAL = Duration.ofSeconds(20);
  private static final DomainPlan RING = new DomainPlan("ring", List.of(1L, 2L, 3L, 4L), 0);
  private static final Topology TOPOLOGY =
      Topologies.ring(4, 2).speaking(Protocol.OPENFLOW_10, one -> one.dpid() % 2 == 1);
  private static final long SHARED = 0x0200_aaaa_0000L;
  private static final long ASKER = 0x0200_bbbb_0000L;
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int EXPERIMENTAL = 0x88b5;

  /** No protocol has these EtherTypes. */
  private static final int FIRST_TYPE = 0xa000;

  private static final int LAST_TYPE = 0xafff;
  private static final int ROUNDS = 20;
  private static final int[] VLANS = {5, 6, -1};

  @TempDir private Path directory;

  /** Added to the addresses, so that each exchange has its own. */
  private int exchange;

  /** Of the frame that is followed: an earlier one may still be on its way through a node. */
  private volatile int etherType = FIRST_TYPE;

  @Test
  void framesArriveInTheirVlan() {
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(RING));
        EmulatedNetwork network = EmulatedNetwork.start(TOPOLOGY, controllers(cluster))) {
      cluster.awaitPreferred(RING);
      awaitAllPings(cluster, network);
      List<EmulatedHost> hosts = List.copyOf(network.hosts());

      // All at one switch of 1.0, all at one of 1.3, then over both; the last one asks.
      exchange(cluster, network, List.of(hosts.get(0), hosts.get(1), hosts.get(2)), hosts.get(7));
      exchange(cluster, network, List.of(hosts.get(2), hosts.get(3), hosts.get(5)), hosts.get(0));
      exchange(cluster, network, List.of(hosts.get(7), hosts.get(4), hosts.get(1)), hosts.get(6));
    }
  }

  /** Each of three hosts has the shared address, in a VLAN of its own. */
  private void exchange(
      ClusterProcesses cluster,
      EmulatedNetwork network,
      List<EmulatedHost> owners,
      EmulatedHost asker) {
    exchange++;
    for (int i = 0; i < VLANS.length; i++) {
      int vlan = VLANS[i];
      EmulatedHost owner = owners.get(i);
      Await.until(
          owner.name() + " alone gets what is for it in VLAN " + vlan,
          PATIENCE,
          () -> {
            owner.sendFrame(frame(BROADCAST, SHARED + exchange, vlan, EXPERIMENTAL));
            return arrivals(network, asker, vlan).equals(Set.of(owner.name()));
          },
          cluster::logs);
    }
    for (int round = 0; round < ROUNDS; round++) {
      for (int i = 0; i < VLANS.length; i++) {
        assertThat(arrivals(network, asker, VLANS[i]))
            .as("round %d, VLAN %d, from %s", round, VLANS[i], asker.name())
            .containsExactly(owners.get(i).name());
      }
    }
  }

  /**
   * The hosts at which a frame to the shared address arrives before the pings between all hosts are
   * answered, which were sent after it; fails where it gets another tag. Each frame has an
   * EtherType of its own, which neither entries nor learning look at.
   */
  private Set<String> arrivals(EmulatedNetwork network, EmulatedHost asker, int vlan) {
    etherType = etherType == LAST_TYPE ? FIRST_TYPE : etherType + 1;
    int tag = vlan < 0 ? 0 : OxmField.VLAN_PRESENT | vlan;
    try (FrameTrace all = network.trace(this::isAsked);
        FrameTrace others =
            network.trace(frame -> isAsked(frame) && frame.get(OxmField.VLAN_VID) != tag)) {
      asker.sendFrame(frame(SHARED + exchange, ASKER + exchange, vlan, etherType));
      awaitArrival(all);
      network.pingAll(Duration.ofSeconds(5)).join();
      assertThat(others.hops()).as("with another tag").isEmpty();
      return receivers(all);
    }
  }

  /** Whether it is sent to one host or flooded, it arrives somewhere, but for a node's hiccup. */
  private static void awaitArrival(FrameTrace trace) {
    long deadline = System.nanoTime() + ARRIVAL.toNanos();
    while (receivers(trace).isEmpty() && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** Hosts do not trace what is for others' addresses, but the switches in front of them do. */
  private static Set<String> receivers(FrameTrace trace) {
    Set<PortRef> sentOutOf =
        trace.hops().stream()
            .filter(hop -> hop.event() == Hop.Event.SWITCH_SENT)
            .map(hop -> new PortRef(hop.station(), hop.port()))
            .collect(Collectors.toSet());
    return TOPOLOGY.hosts().stream()
        .filter(host -> sentOutOf.contains(host.at()))
        .map(HostSpec::name)
        .collect(Collectors.toSet());
  }

  private boolean isAsked(Packet frame) {
    return frame.get(OxmField.ETH_DST) == SHARED + exchange
        && frame.get(OxmField.ETH_SRC) == ASKER + exchange
        && frame.get(OxmField.ETH_TYPE) == etherType;
  }

  private static byte[] frame(long destination, long source, int vlan, int type) {
    ByteBuffer frame = ByteBuffer.allocate(64);
    address(frame, destination);
    address(frame, source);
    if (vlan >= 0) {
      frame.putShort((short) 0x8100).putShort((short) vlan);
    }
    return frame.putShort((short) type).array();
  }

  private static void address(ByteBuffer frame, long address) {
    frame.putShort((short) (address >>> 32)).putInt((int) address);
  }

  private static void awaitAllPings(ClusterProcesses cluster, EmulatedNetwork network) {
    Await.until(
        "every host reaches every other",
        PATIENCE,
        () -> network.pingAll(Duration.ofSeconds(2)).join().stream().allMatch(PingResult::complete),
        cluster::logs);
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
