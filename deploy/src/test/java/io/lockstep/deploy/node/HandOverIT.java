package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.network.NewFlows;
import io.lockstep.dataplane.topology.Topologies;
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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * New flows at a steady rate through three real nodes, while a domain goes from one to another:
 * each flow is one datagram that is sent once.
 */
class HandOverIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DomainPlan RING = new DomainPlan("ring", List.of(1L, 2L, 3L, 4L), 0);
  private static final int HOSTS_PER_SWITCH = 4;

  /** All pairs of 16 hosts have had their turn after 2.4 s, and entries live 1 s. */
  private static final int FLOWS_PER_SECOND = 100;

  private static final String CONFIGURATION =
      """
      timeouts: {handBackMillis: 1000}
      applications: {learning-switch: {idleTimeoutSeconds: 1}}
      """;

  /** Usually some seconds; a node that waits for others without end takes for ever. */
  private static final long STOP_SECONDS = 30;

  @TempDir private Path directory;

  private static List<InetSocketAddress> controllers(ClusterProcesses cluster) {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int i = 0; i < cluster.plan().nodes(); i++) {
      addresses.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), cluster.plan().openflowPort(i)));
    }
    return addresses;
  }

  private static EmulatedNetwork network(ClusterProcesses cluster, Protocol protocol) {
    return EmulatedNetwork.start(
        Topologies.ring(4, HOSTS_PER_SWITCH).speaking(protocol, one -> true), controllers(cluster));
  }

  /** Starts the flows, and returns when all of a second arrived. */
  private static NewFlows awaitFlows(ClusterProcesses cluster, EmulatedNetwork network) {
    List<EmulatedHost> hosts = List.copyOf(network.hosts());
    hosts.forEach(EmulatedHost::announce);
    NewFlows flows = network.startNewFlows(hosts, FLOWS_PER_SECOND, 1);
    Await.until(
        "no new flow of a second is lost",
        PATIENCE,
        () -> {
          flows.next("a second");
          awaitMillis(1000, cluster);
          NewFlows.Window second = flows.next("between");
          awaitMillis(500, cluster);
          return second.counts().sent() > 0 && second.counts().missing() == 0;
        },
        cluster::logs);
    return flows;
  }

  private static void awaitMillis(long millis, ClusterProcesses cluster) {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    Await.until(millis + " ms", PATIENCE, () -> System.nanoTime() > until, cluster::logs);
  }

  private static void assertNoneLost(NewFlows.Window window, ClusterProcesses cluster) {
    awaitMillis(1000, cluster);
    NewFlows.Counts counts = window.counts();
    String told =
        counts + ", longest " + TimeUnit.NANOSECONDS.toMillis(window.longestNanos()) + " ms";
    System.out.println(told);
    assertThat(counts.sent()).as(told).isGreaterThan(FLOWS_PER_SECOND / 4);
    assertThat(counts.missing()).as(told + cluster.logs()).isZero();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void noNewFlowIsLostAtAnOrderlyStopAndAtAHandBack(Protocol protocol) throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.prepare(directory, List.of(RING), CONFIGURATION)) {
      cluster.startAll();
      cluster.awaitReady();
      try (EmulatedNetwork network = network(cluster, protocol)) {
        NodeProcess preferred = cluster.awaitPreferred(RING);
        try (NewFlows flows = awaitFlows(cluster, network)) {
          flows.next("stop");
          awaitEnd(preferred);
          assertThat(cluster.awaitMaster(RING).id()).isNotEqualTo(preferred.id());
          awaitMillis(1000, cluster);
          assertNoneLost(flows.next("hand-back"), cluster);

          preferred.start();
          cluster.awaitPreferred(RING);
          awaitMillis(1000, cluster);
          assertNoneLost(flows.next("end"), cluster);
          assertThat(flows.doubled()).as("datagrams that arrived twice").isZero();
        }
      }
    }
  }

  private static void awaitEnd(NodeProcess node) throws InterruptedException {
    node.process().destroy();
    awaitEnded(node);
  }

  private static void awaitEnded(NodeProcess node) throws InterruptedException {
    assertThat(node.process().waitFor(STOP_SECONDS, TimeUnit.SECONDS))
        .as("it ends by itself" + node.lastLines())
        .isTrue();
  }

  @Test
  void nodesEndInTimeWhereNothingCanBeHandedOver() throws Exception {
    try (ClusterProcesses cluster =
        ClusterProcesses.prepare(directory, List.of(RING), CONFIGURATION)) {
      cluster.startAll();
      cluster.awaitReady();
      try (EmulatedNetwork network = network(cluster, Protocol.OPENFLOW_13)) {
        NodeProcess n1 = cluster.awaitPreferred(RING);
        assertThat(network.switches()).hasSize(4);
        NodeProcess n2 = cluster.node(1);
        NodeProcess n3 = cluster.node(2);
        n2.pause();
        n3.pause();
        awaitEnd(n1);
        n2.resume();
        n3.resume();
        cluster.awaitMaster(RING);

        n1.start();
        cluster.awaitReady();
        cluster.awaitPreferred(RING);
        n1.process().destroy();
        n2.process().destroy();
        awaitEnded(n1);
        awaitEnded(n2);

        n1.start();
        n2.start();
        cluster.awaitReady();
        cluster.awaitPreferred(RING);
        n1.process().destroy();
        n2.kill();
        awaitEnded(n1);
      }
    }
  }
}
