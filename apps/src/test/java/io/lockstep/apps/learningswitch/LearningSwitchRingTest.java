package io.lockstep.apps.learningswitch;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.TestNetwork.Port;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.BroadcastTree;
import io.lockstep.core.topology.NetworkPicture;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Six switches in a ring with a chord: ports 1 and 2 lead around, 3 is the chord's, 10 and 11 have
 * hosts.
 */
class LearningSwitchRingTest {
  private static final int SWITCHES = 6;
  private static final long BROADCAST = 0xffff_ffff_ffffL;

  private final Set<DirectedLink> links = new HashSet<>();
  private final TestNetwork network = new TestNetwork(NetworkPicture.UNKNOWN);
  private BroadcastTree tree = BroadcastTree.EMPTY;

  LearningSwitchRingTest() {
    for (long i = 1; i <= SWITCHES; i++) {
      cable(i, 1, i % SWITCHES + 1, 2);
    }
    cable(1, 3, 4, 3);
    compute();
  }

  private void cable(long a, long portA, long b, long portB) {
    DirectedLink link = new DirectedLink(new SwitchPort(a, portA), new SwitchPort(b, portB));
    links.add(link);
    links.add(link.reversed());
    network.cables.put(new Port(a, portA), new Port(b, portB));
    network.cables.put(new Port(b, portB), new Port(a, portA));
  }

  private void cut(long a, long portA, long b, long portB) {
    DirectedLink link = new DirectedLink(new SwitchPort(a, portA), new SwitchPort(b, portB));
    links.remove(link);
    links.remove(link.reversed());
    network.cables.put(new Port(a, portA), new Port(99, 1));
    network.cables.put(new Port(b, portB), new Port(99, 2));
  }

  private void compute() {
    tree = BroadcastTree.of(links);
    List<SwitchPort> edges = new ArrayList<>();
    hostPorts().forEach(port -> edges.add(new SwitchPort(port.dpid(), port.port())));
    network.view = new NetworkPicture(1, edges, tree.ports());
  }

  private static List<Port> hostPorts() {
    List<Port> ports = new ArrayList<>();
    for (long i = 1; i <= SWITCHES; i++) {
      ports.add(new Port(i, 10));
      ports.add(new Port(i, 11));
    }
    return ports;
  }

  private static long host(Port port) {
    return 0x0200_0000_0000L + port.dpid() * 256 + port.port();
  }

  private void pingAllPairs() {
    for (Port from : hostPorts()) {
      for (Port to : hostPorts()) {
        if (!from.equals(to)) {
          network.send(from.dpid(), from.port(), host(to), host(from));
          assertThat(network.arrivedAt()).as("%s to %s", from, to).contains(to);
        }
      }
    }
  }

  @Test
  void floodReachesEveryOtherHostOnce() {
    for (Port from : hostPorts()) {
      network.send(from.dpid(), from.port(), BROADCAST, host(from));
      List<Port> others = new ArrayList<>(hostPorts());
      others.remove(from);
      assertThat(network.arrivedAt()).containsExactlyInAnyOrderElementsOf(others);
      assertThat(network.packetIns).as("each switch sees it once").doesNotHaveDuplicates();
    }
  }

  @Test
  void learnedHostsGetTheirPacketsAlone() {
    pingAllPairs();
    pingAllPairs();
    Port from = new Port(2, 10);
    Port to = new Port(5, 11);
    network.send(from.dpid(), from.port(), host(to), host(from));
    assertThat(network.arrivedAt()).containsExactly(to);
    assertThat(network.packetIns).isEmpty();
  }

  @Test
  void allHostsReachEachOtherAgainAfterATreeCableIsCut() {
    pingAllPairs();
    BroadcastTree before = tree;
    cut(1, 1, 2, 2);
    compute();
    Set<Long> changed = before.switchesWithOtherPaths(tree);
    assertThat(changed).hasSize(SWITCHES);
    changed.forEach(dpid -> network.tell(new NetworkEvent.TreeChanged(TestNetwork.device(dpid))));
    floodReachesEveryOtherHostOnce();
    pingAllPairs();
  }

  @Test
  void hostThatMovesAcrossTheRingIsFollowedOnceItSpeaks() {
    pingAllPairs();
    long mover = host(new Port(1, 10));
    network.send(4, 10, BROADCAST, mover);
    network.send(2, 11, mover, host(new Port(2, 11)));
    assertThat(network.arrivedAt()).containsExactly(new Port(4, 10));
  }
}
