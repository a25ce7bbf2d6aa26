package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.placed.RawSwitch;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Peers, clients, switches and pages that knock again and again: the log has at most ten lines a
 * minute about each of them, and says that it leaves some out.
 */
class LogStormIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DomainPlan DOMAIN = new DomainPlan("d", List.of(1L), 0);
  private static final int KNOCKS = 60;
  private static final int LINES = 10;
  private static final int CLIENT_LINK = 0x4c53_434c;
  private static final int REPLICA_LINK = 0x4c53_524c;

  @TempDir private Path directory;

  @Test
  void linesForOneCauseAndPeerAreBounded() throws Exception {
    long began = System.nanoTime();
    try (ClusterProcesses cluster = ClusterProcesses.start(directory, List.of(DOMAIN))) {
      NodeProcess node = cluster.node(0);
      int storePort = cluster.plan().storePort(0);
      for (int i = 0; i < KNOCKS; i++) {
        knock(storePort + 2, "lockstep-witness/1 other" + i + " n2 7\n");
        knock(storePort + 2, "what is this? " + i + "\n");
        knock(storePort, handshake(CLIENT_LINK, "other" + i));
        knock(storePort + 1, handshake(REPLICA_LINK, "other" + i));
        knock(cluster.plan().openflowPort(0), "GET /" + i + " HTTP/1.1\r\n\r\n");
        knock(
            cluster.plan().adminPort(0),
            "GET /" + i + " HTTP/1.1\r\nHost: evil" + i + "\r\nConnection: close\r\n\r\n");
        try (RawSwitch stubborn = new RawSwitch(1, cluster.plan().openflowPort(0), false)) {
          assertThat(stubborn.awaitRefused()).isTrue();
        }
      }
      Await.until("the node is ready", PATIENCE, () -> node.report().ready(), cluster::logs);
      long minutes = 1 + TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - began);
      for (String cause :
          List.of(
              "no hello of a peer", "refuses client", "refuses a replica link", "not granted")) {
        List<String> lines = node.logLines().stream().filter(l -> l.contains(cause)).toList();
        assertThat(lines)
            .as(cause)
            .hasSizeBetween(LINES, (int) (LINES * minutes))
            .anyMatch(line -> line.contains("lines like this are left out"));
      }
      assertThat(node.logLines())
          .filteredOn(line -> line.contains("admin HTTP: a request of"))
          .as("one line a minute for a cause and peer of the admin HTTP")
          .hasSizeBetween(1, (int) minutes);
      assertThat(node.logLines())
          .filteredOn(line -> line.contains("belongs to cluster 'other") && line.contains("node n"))
          .as("what another cluster repeats is one line")
          .hasSize(1);
      assertThat(node.logLines().stream().filter(line -> line.contains("OpenFlow")).count())
          .as("lines about connections, of each severity")
          .isLessThanOrEqualTo(4 * LINES * minutes);
    }
  }

  private static byte[] handshake(int purpose, String cluster) {
    byte[] name = cluster.getBytes(StandardCharsets.US_ASCII);
    return ByteBuffer.allocate(4 + 17 + name.length)
        .putInt(17 + name.length)
        .putInt(purpose)
        .put((byte) 6)
        .putInt(0)
        .putInt(1)
        .putInt(0)
        .put(name)
        .array();
  }

  private static void knock(int port, String text) throws IOException {
    knock(port, text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Sends something and waits until the node has closed the connection. */
  private static void knock(int port, byte[] bytes) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout((int) PATIENCE.toMillis());
      socket.getOutputStream().write(bytes);
      socket.getInputStream().readAllBytes();
    } catch (SocketException reset) {
      // It closed the connection before it had read everything.
      assertThat(reset).isNotNull();
    }
  }
}
