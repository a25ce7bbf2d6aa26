package io.lockstep.core.topology;

import static io.lockstep.core.topology.BroadcastTreeTest.cable;
import static io.lockstep.core.topology.BroadcastTreeTest.ring;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.KnownHost;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.testing.ManualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;

class TopologyTrackerTest {
  private final ManualTime time = new ManualTime();
  private final Set<DirectedLink> links = new HashSet<>();
  private final Set<SwitchPort> edges = new HashSet<>();
  private final List<Set<Long>> pathChanges = new ArrayList<>();
  private final Others followed = new Others();
  private final TopologyTracker tracker =
      new TopologyTracker(
          () -> links,
          () -> edges,
          followed,
          new TopologyTracker.Config(20, 200),
          time,
          time::nanos);

  /** What this node is told of the links and of how far the other nodes follow them. */
  private static final class Others implements FollowedLinks {
    private final List<Long> told = new ArrayList<>();
    private long lastChange = 1;
    private long others = Long.MAX_VALUE;

    @Override
    public long lastChange() {
      return lastChange;
    }

    @Override
    public void followed(long index) {
      told.add(index);
    }

    @Override
    public boolean areFollowedByAll(long index) {
      return others >= index;
    }
  }

  TopologyTrackerTest() {
    tracker.addListener(
        new TopologyTracker.Listener() {
          @Override
          public void pathsChanged(Set<Long> dpids) {
            pathChanges.add(dpids);
          }
        });
  }

  private boolean open(long dpid, long port) {
    return tracker.picture().onBroadcastTree(SwitchPort.device(dpid), PortNumber.portNumber(port));
  }

  private void changedAndPass(long millis) {
    tracker.changed();
    time.pass(millis);
  }

  @Test
  void nothingIsFloodedBeforeAnythingIsKnown() {
    assertThat(open(1, 1)).isFalse();
    assertThat(tracker.picture().floodPorts(SwitchPort.device(1), PortNumber.portNumber(2)))
        .isEmpty();
  }

  @Test
  void edgeOpensAtOnceAndTreePortOnlyAfterTheHold() {
    links.addAll(cable(1, 1, 2, 1));
    edges.add(new SwitchPort(1, 5));
    changedAndPass(21);
    assertThat(open(1, 5)).isTrue();
    assertThat(open(1, 1)).isFalse();
    time.pass(150);
    assertThat(open(1, 1)).isFalse();
    time.pass(80);
    assertThat(open(1, 1)).isTrue();
    assertThat(tracker.picture().floodPorts(SwitchPort.device(1), PortNumber.portNumber(5)))
        .containsExactly(PortNumber.portNumber(1));
  }

  @Test
  void whatLeavesTheTreeClosesBeforeWhatJoinsItOpens() {
    links.addAll(ring(3));
    changedAndPass(400);
    assertThat(open(1, 1)).isTrue();
    assertThat(open(2, 1)).isFalse();
    links.removeAll(cable(1, 1, 2, 2));
    changedAndPass(21);
    assertThat(open(1, 1)).isFalse();
    assertThat(open(2, 1)).as("the cable that replaces it waits").isFalse();
    time.pass(250);
    assertThat(open(2, 1)).isTrue();
  }

  @Test
  void pathsChangeTwiceWhenAnEdgeIsReplacedAndNotWhenTheTreeGrows() {
    links.addAll(cable(1, 1, 2, 2));
    changedAndPass(400);
    links.addAll(ring(3));
    changedAndPass(400);
    assertThat(pathChanges).isEmpty();
    links.removeAll(cable(1, 1, 2, 2));
    changedAndPass(400);
    assertThat(pathChanges).containsExactly(Set.of(1L, 2L, 3L), Set.of(1L, 2L, 3L));
  }

  @Test
  void portWithALinkIsNoEdgeWhateverTheStoreSays() {
    edges.add(new SwitchPort(1, 1));
    links.addAll(cable(1, 1, 2, 1).subList(0, 1));
    changedAndPass(400);
    assertThat(open(1, 1)).isFalse();
    assertThat(tracker.picture().isEdge(SwitchPort.device(1), PortNumber.portNumber(1))).isFalse();
  }

  @Test
  void manyChangesAreComputedOnce() {
    List<NetworkPicture> pictures = new ArrayList<>();
    tracker.addListener(
        new TopologyTracker.Listener() {
          @Override
          public void pictureChanged(NetworkPicture picture) {
            pictures.add(picture);
          }
        });
    for (long port = 1; port <= 50; port++) {
      edges.add(new SwitchPort(1, port));
      tracker.changed();
    }
    time.pass(100);
    assertThat(pictures).hasSize(1);
  }

  @Test
  void thePictureHasLinksAtOnceAndKeepsHosts() {
    KnownHost host = new KnownHost(MacAddress.valueOf(7), -1, new SwitchPort(1, 5).connectPoint());
    tracker.hostsChanged(new KnownHosts(List.of(host)));
    NetworkPicture before = tracker.picture();
    links.addAll(ring(3));
    changedAndPass(21);
    NetworkPicture picture = tracker.picture();
    assertThat(before.links()).as("an older picture stays as it is").isEmpty();
    assertThat(picture.links()).hasSize(6);
    assertThat(picture.path(SwitchPort.device(1), SwitchPort.device(3))).hasSize(1);
    assertThat(picture.host(MacAddress.valueOf(7), 0)).as("priority-tagged").isEqualTo(host);
    assertThat(picture.host(MacAddress.valueOf(7), 3)).as("another VLAN").isNull();
    assertThat(picture.hosts()).containsExactly(host);
    links.clear();
    links.addAll(cable(1, 1, 2, 2));
    changedAndPass(21);
    assertThat(tracker.picture().path(SwitchPort.device(1), SwitchPort.device(3))).isNull();
    assertThat(tracker.picture().hosts()).containsExactly(host);
    assertThat(tracker.picture().generation()).isGreaterThan(picture.generation());
  }

  @Test
  void noPictureIsMadeWhereNothingChanged() {
    links.addAll(ring(3));
    changedAndPass(400);
    NetworkPicture picture = tracker.picture();
    changedAndPass(400);
    assertThat(tracker.picture()).isSameAs(picture);
  }

  @Test
  void whatJoinsTheTreeOpensOnlyWhereAllNodesFollowTheChange() {
    links.addAll(ring(3));
    changedAndPass(400);
    followed.others = 7;
    followed.lastChange = 8;
    links.removeAll(cable(1, 1, 2, 2));
    changedAndPass(21);
    assertThat(followed.told).as("told when what left is closed").endsWith(8L);
    assertThat(open(1, 1)).isFalse();
    time.pass(60_000);
    assertThat(open(2, 1)).as("however long another node takes").isFalse();
    tracker.othersFollowed();
    time.pass(300);
    assertThat(open(2, 1)).as("it did not go on").isFalse();
    followed.others = 8;
    tracker.othersFollowed();
    time.pass(150);
    assertThat(open(2, 1)).as("what the others flooded before is on its way").isFalse();
    time.pass(100);
    assertThat(open(2, 1)).isTrue();
  }

  @Test
  void edgeThatJoinsLaterWaitsForItsOwnChange() {
    links.addAll(cable(1, 1, 2, 1));
    followed.others = 1;
    changedAndPass(400);
    assertThat(open(1, 1)).isTrue();
    followed.lastChange = 5;
    links.addAll(cable(2, 3, 3, 1));
    changedAndPass(400);
    assertThat(open(1, 1)).as("the tree that grew stays open").isTrue();
    assertThat(open(2, 3)).isFalse();
    followed.others = 5;
    tracker.othersFollowed();
    time.pass(300);
    assertThat(open(2, 3)).isTrue();
  }

  @Test
  void whoHearsOfConfirmationsComputesOnlyWhatWaits() {
    links.addAll(cable(1, 1, 2, 1));
    changedAndPass(400);
    int computed = followed.told.size();
    tracker.othersFollowed();
    time.pass(400);
    assertThat(followed.told).hasSize(computed);
  }

  @Test
  void nodeThatTakesPartAgainFollowsTheLinksAtOnce() {
    links.addAll(ring(3));
    changedAndPass(400);
    assertThat(open(1, 1)).isTrue();
    links.removeAll(cable(1, 1, 2, 2));
    tracker.changed();
    tracker.began();
    assertThat(open(1, 1)).as("before any time passes").isFalse();
  }
}
