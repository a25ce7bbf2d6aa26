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
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Link;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.net.topology.Topology;
import org.onosproject.net.topology.TopologyEvent;

class NetworkTopologyTest {
  private final ManualTime time = new ManualTime();
  private final Set<DirectedLink> links = new LinkedHashSet<>();
  private final List<TopologyEvent> events = new ArrayList<>();
  private final TopologyTracker tracker =
      new TopologyTracker(
          () -> links, Set::of, new TopologyTracker.Config(0, 0), time, time::nanos);
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
}
