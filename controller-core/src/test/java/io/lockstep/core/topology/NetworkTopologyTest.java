package io.lockstep.core.topology;

import static io.lockstep.core.topology.BroadcastTreeTest.cable;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.ChassisId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.HopCountLinkWeigher;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyEvent;

class NetworkTopologyTest {
  /** No other node floods. */
  private static final class OneNode implements FollowedLinks {
    @Override
    public long lastChange() {
      return 0;
    }

    @Override
    public void followed(long index) {
      // There is no other node to wait for this one.
    }

    @Override
    public boolean areFollowedByAll(long index) {
      return true;
    }
  }

  private final ManualTime time = new ManualTime();
  private final Set<DirectedLink> links = new LinkedHashSet<>();
  private final List<TopologyEvent> events = new ArrayList<>();
  private final TopologyTracker tracker =
      new TopologyTracker(
          () -> links, Set::of, new OneNode(), new TopologyTracker.Config(0, 0), time, time::nanos);
  private final NetworkTopology topology =
      new NetworkTopology(() -> List.of(device(1), device(9)), this::onosLinks, tracker, time);

  private static DeviceId device(long dpid) {
    return SwitchPort.device(dpid);
  }

  private List<Link> onosLinks() {
    List<Link> all = new ArrayList<>();
    for (DirectedLink link : links) {
      all.add(
          DefaultLink.builder()
              .providerId(ProviderId.NONE)
              .src(link.src().connectPoint())
              .dst(link.dst().connectPoint())
              .type(Link.Type.DIRECT)
              .build());
    }
    return all;
  }

  /** A square 1-2-4-3-1, and switch 9 alone. */
  private Topology square() {
    topology.addListener(events::add);
    links.addAll(cable(1, 1, 2, 1));
    links.addAll(cable(1, 2, 3, 1));
    links.addAll(cable(2, 2, 4, 1));
    links.addAll(cable(3, 2, 4, 2));
    tracker.changed();
    time.pass(5);
    return topology.currentTopology();
  }

  @Test
  void countsDevicesLinksAndClusters() {
    Topology square = square();
    assertThat(square.deviceCount()).isEqualTo(5);
    assertThat(square.linkCount()).isEqualTo(8);
    assertThat(square.clusterCount()).isEqualTo(2);
    assertThat(topology.isLatest(square)).isTrue();
    assertThat(events).hasSize(1);
  }

  @Test
  void allShortestPathsAreFound() {
    Topology square = square();
    assertThat(topology.getPaths(square, device(1), device(4)))
        .hasSize(2)
        .allSatisfy(path -> assertThat(path.links()).hasSize(2));
    assertThat(topology.getPaths(square, device(1), device(9))).isEmpty();
    assertThat(topology.getPaths(square, device(1), device(77))).isEmpty();
  }

  @Test
  void furtherPathsFollowTheShortestOnes() {
    links.addAll(cable(1, 3, 4, 3));
    Topology square = square();
    assertThat(topology.getKShortestPaths(square, device(1), device(4)))
        .extracting(path -> path.links().size())
        .containsExactly(1, 2, 2);
    assertThat(
            topology.getKShortestPaths(
                square, device(1), device(4), HopCountLinkWeigher.DEFAULT_HOP_COUNT_WEIGHER, 2))
        .hasSize(2);
    assertThat(topology.getKShortestPaths(square, device(1), device(9))).isEmpty();
    assertThat(topology.getKShortestPaths(square, device(1), device(77))).isEmpty();
    assertThat(topology.getKShortestPaths(square, device(1), device(1))).isEmpty();
  }

  @Test
  void disjointPathsShareNoLink() {
    assertThat(topology.getDisjointPaths(square(), device(1), device(4)))
        .isNotEmpty()
        .allSatisfy(
            pair ->
                assertThat(pair.primary().links())
                    .doesNotContainAnyElementsOf(pair.backup().links()));
  }

  @Test
  void oneEndOfTheRedundantCableIsNoBroadcastPoint() {
    Topology square = square();
    ConnectPoint redundant = new SwitchPort(3, 2).connectPoint();
    ConnectPoint edge = new SwitchPort(3, 7).connectPoint();
    assertThat(topology.isInfrastructure(square, redundant)).isTrue();
    assertThat(topology.isBroadcastPoint(square, redundant)).isFalse();
    assertThat(topology.isInfrastructure(square, edge)).isFalse();
    assertThat(topology.isBroadcastPoint(square, edge)).isTrue();
  }

  @Test
  void clusterKnowsItsDevicesAndLinks() {
    Topology square = square();
    assertThat(topology.getClusters(square))
        .anySatisfy(
            cluster -> {
              assertThat(topology.getClusterDevices(square, cluster)).hasSize(4);
              assertThat(topology.getClusterLinks(square, cluster)).hasSize(8);
            });
  }

  private static LinkEvent added(Link link) {
    return new LinkEvent(LinkEvent.Type.LINK_ADDED, link);
  }

  private static DeviceEvent available(long dpid) {
    Device device =
        new DefaultDevice(
            ProviderId.NONE,
            device(dpid),
            Device.Type.SWITCH,
            "m",
            "h",
            "s",
            "n",
            new ChassisId(dpid));
    return new DeviceEvent(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, device);
  }

  private TopologyEvent last() {
    return events.get(events.size() - 1);
  }

  @Test
  void eventNamesTheLinksAndSwitchesThatCausedItOnce() {
    links.addAll(cable(1, 1, 2, 1));
    List<LinkEvent> first = onosLinks().stream().map(NetworkTopologyTest::added).toList();
    first.forEach(topology::linkChanged);
    square();
    assertThat(last().reasons()).hasSize(2).containsExactlyElementsOf(first);

    DeviceEvent device = available(9);
    topology.deviceChanged(device);
    topology.refresh();
    assertThat(events).hasSize(2);
    assertThat(last().reasons()).hasSize(1).first().isEqualTo(device);
    topology.refresh();
    assertThat(events).as("nothing happened meanwhile").hasSize(2);

    DeviceEvent another = available(1);
    topology.deviceChanged(another);
    links.removeAll(cable(1, 1, 2, 1));
    LinkEvent gone = new LinkEvent(LinkEvent.Type.LINK_REMOVED, first.get(0).subject());
    topology.linkChanged(gone);
    tracker.changed();
    time.pass(5);
    assertThat(last().reasons()).hasSize(2).first().isEqualTo(gone);
    assertThat(last().reasons().get(1)).isEqualTo(another);
  }

  @Test
  void eventNamesNoReasonsWhereSomeAreUnknown() {
    topology.linkChanged(added(onosLink()));
    topology.deviceEventsLost();
    square();
    assertThat(events).hasSize(1);
    assertThat(last().reasons()).isEmpty();

    for (int i = 0; i <= TopologyReasons.MAX_EVENTS; i++) {
      topology.deviceChanged(available(9));
    }
    topology.refresh();
    assertThat(events).hasSize(2);
    assertThat(last().reasons()).as("more than the bound").isEmpty();

    topology.deviceChanged(available(9));
    topology.refresh();
    assertThat(last().reasons()).as("known again").hasSize(1);
  }

  private Link onosLink() {
    links.addAll(cable(1, 1, 2, 1));
    return onosLinks().get(0);
  }
}
