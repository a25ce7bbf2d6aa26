package io.lockstep.deploy.ovs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A host that others talk to moves between Open vSwitch bridges, and sends something else than ARP
 * from its new place. Its old port stays up, so the node has to find out that it is silent.
 */
class HostMoveIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /** Half a second to ask at the old place; the rest is for a machine that others use, too. */
  private static final long REACHABLE_MILLIS = 5_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({
    "OpenFlow13,s1",
    "OpenFlow10,s1",
    "OpenFlow13,s2",
    "OpenFlow10,s2",
    "OpenFlow13,s3",
    "OpenFlow10,s3"
  })
  void hostIsReachableSoon(String protocol, String to) throws Exception {
    OpenVSwitch.assumeAvailable();
    try (OneNode node = OneNode.start();
        OpenVSwitch ovs = OpenVSwitch.start(directory)) {
      for (int i = 1; i <= 3; i++) {
        ovs.addBridge("s" + i, i);
        ovs.vsctl("set", "bridge", ovs.systemName("s" + i), "protocols=" + protocol);
      }
      ovs.patch("s1", "s2");
      ovs.patch("s2", "s3");
      OvsHost old = ovs.addHost("s1", "h1", "10.0.0.1/24", "02:00:00:00:00:01");
      OvsHost peer = ovs.addHost("s3", "h2", "10.0.0.2/24", "02:00:00:00:00:02");
      OvsHost moved = ovs.addHost(to, "h3", "10.0.0.1/24", "02:00:00:00:00:01");
      moved.must("ip", "address", "flush", "dev", "eth0");
      for (int i = 1; i <= 3; i++) {
        ovs.setControllers("s" + i, node.controller());
      }
      assertThat(old.pings(peer, 60)).isTrue();
      try (Pinging pinging = Pinging.start(peer, old)) {
        pinging.awaitFirstReply(PATIENCE);
        long lastKnown = pinging.tally().answered();
        old.must("ip", "address", "flush", "dev", "eth0");
        moved.must("ip", "address", "add", moved.ip() + "/24", "dev", "eth0");
        moved.must("ip", "neigh", "replace", peer.ip(), "lladdr", peer.mac(), "dev", "eth0");
        long fromNanos = System.nanoTime();
        try (Pinging back = Pinging.start(moved, peer)) {
          back.awaitFirstReply(PATIENCE);
          Await.until(
              "the peer reaches it, too",
              PATIENCE,
              () -> pinging.tally().answered() > lastKnown + 5,
              pinging::toString);
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - fromNanos);
        System.out.printf("%s: reached at %s after %d ms%n", protocol, to, millis);
        assertThat(millis).isLessThan(REACHABLE_MILLIS);
      }
    }
  }
}
