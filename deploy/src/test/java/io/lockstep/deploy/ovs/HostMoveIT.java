package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A host that others talk to moves between Open vSwitch bridges, and sends something else than ARP
 * from its new place. Its old port stays up, so the node has to find out that it is silent. Both
 * versions of OpenFlow are tested at once.
 */
@Tag("alone")
@Execution(ExecutionMode.CONCURRENT)
class HostMoveIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Half a second to ask at the old place; the rest is for a machine that others use, too. */
  private static final long REACHABLE_MILLIS = 5_000;

  @TempDir private Path directory;

  /** It moves to another port of its switch, to the switch in between, and to that of its peer. */
  @ParameterizedTest
  @ValueSource(strings = {"OpenFlow13", "OpenFlow10"})
  void hostIsReachableSoon(String protocol) throws Exception {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start();
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      for (int i = 1; i <= 3; i++) {
        ovs.addBridge("s" + i, i);
        ovs.vsctl("set", "bridge", ovs.systemName("s" + i), "protocols=" + protocol);
      }
      ovs.patch("s1", "s2");
      ovs.patch("s2", "s3");
      OvsHost peer = ovs.addHost("s3", "h9", "10.0.0.2/24", "02:00:00:00:00:02");
      OvsHost first = addPlace(ovs, "s1", "h0");
      List<OvsHost> others = new ArrayList<>();
      for (int i = 1; i <= 3; i++) {
        OvsHost other = addPlace(ovs, "s" + i, "h" + i);
        other.must("ip", "address", "flush", "dev", "eth0");
        others.add(other);
      }
      for (int i = 1; i <= 3; i++) {
        ovs.setControllers("s" + i, node.controller());
      }
      assertThat(first.pings(peer, 60)).isTrue();
      try (Pinging meanwhile = Pinging.start(peer, first)) {
        meanwhile.awaitFirstReply(PATIENCE);
        OvsHost at = first;
        for (OvsHost next : others) {
          long millis = move(at, next, peer);
          System.out.printf("%s: reached at %s after %d ms%n", protocol, next.name(), millis);
          assertThat(millis).as("to %s", next.name()).isLessThan(REACHABLE_MILLIS);
          at = next;
        }
      }
    }
  }

  private static OvsHost addPlace(OpenVSwitch ovs, String bridge, String name) {
    return ovs.addHost(bridge, name, "10.0.0.1/24", "02:00:00:00:00:01");
  }

  /** Moves the host; gives the milliseconds until it reaches its peer and the peer reaches it. */
  private static long move(OvsHost from, OvsHost to, OvsHost peer) {
    from.must("ip", "address", "flush", "dev", "eth0");
    to.must("ip", "address", "add", to.ip() + "/24", "dev", "eth0");
    to.must("ip", "neigh", "replace", peer.ip(), "lladdr", peer.mac(), "dev", "eth0");
    long movedAtMillis = System.currentTimeMillis();
    try (Pinging there = Pinging.start(peer, to);
        Pinging back = Pinging.start(to, peer)) {
      long reachedAtMillis =
          Math.max(there.awaitFirstReply(PATIENCE), back.awaitFirstReply(PATIENCE));
      return reachedAtMillis - movedAtMillis;
    }
  }
}
