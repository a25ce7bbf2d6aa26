package io.lockstep.deploy.ovs;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.config.ConfigException;
import io.lockstep.deploy.config.ConfiguredStore;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.ClusterStatus;
import io.lockstep.deploy.status.StatusTable;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.ClusterProcesses;
import io.lockstep.deploy.testbed.NodeProcess;
import io.lockstep.store.StoreClient;
import io.lockstep.store.client.BatchingStoreClient;
import io.lockstep.store.client.ClientOptions;
import io.lockstep.store.engine.bftsmart.BftSmartClient;
import io.lockstep.store.engine.bftsmart.ClientConfig;
import io.lockstep.store.typed.StoreAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The three nodes that control the ring. One that halts because its replica differs is started anew
 * at once, as its launcher would; one that was killed stays down until the test starts it. Used by
 * one thread at a time.
 */
final class RingCluster implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int ASK_MILLIS = 15_000;
  private static final int STORE_DEADLINE_MILLIS = 10_000;
  private static final int CLIENT_ID = 900;

  private final ClusterProcesses processes;
  private final Set<NodeProcess> killed = new HashSet<>();

  /** Nodes that do not run yet. */
  RingCluster(Path directory) {
    processes =
        ClusterProcesses.prepare(
            directory, RingNetwork.domains(), "timeouts: {handBackMillis: 3000}\n");
  }

  /** Starts all nodes that do not run, those that were killed included; does not wait. */
  void startAll() {
    killed.clear();
    processes.nodes().stream().filter(node -> !node.running()).forEach(NodeProcess::start);
  }

  /** Waits until all nodes are ready. */
  void awaitReady() {
    processes.awaitReady();
  }

  /** {@code kill -9}; gives the wall clock's milliseconds just before. */
  long kill(NodeProcess node) {
    killed.add(node);
    long before = System.currentTimeMillis();
    node.kill();
    return before;
  }

  /** All nodes. */
  List<NodeProcess> nodes() {
    return processes.nodes();
  }

  /** The node whose replica leads. */
  NodeProcess leader() {
    return processes.leader();
  }

  /** The node that masters a domain. */
  NodeProcess master(DomainPlan domain) {
    return processes.awaitMaster(domain);
  }

  /** The nodes' OpenFlow ports. */
  List<Integer> openflowPorts() {
    ClusterPlan plan = processes.plan();
    return IntStream.range(0, plan.nodes()).mapToObj(plan::openflowPort).toList();
  }

  /** {@code host:port} of all admin HTTPs, for {@code status -e}. */
  String endpoints() {
    return processes.endpoints();
  }

  private ClusterStatus status() {
    return ClusterStatus.ask(nodes().stream().map(NodeProcess::adminEndpoint).toList(), ASK_MILLIS);
  }

  /**
   * Starts what does not run and waits until all nodes are ready, know all links and play their
   * part at all switches, and every domain is mastered by its preferred node.
   */
  void makeWhole() {
    startAll();
    Await.until(
        "the cluster is whole",
        PATIENCE,
        () -> {
          restartHalted();
          ClusterStatus status = status();
          return status.answers().size() == nodes().size()
              && status.answers().stream().allMatch(answer -> isWell(answer.report()));
        },
        this::describe);
  }

  private boolean isWell(NodeReport report) {
    ClusterPlan plan = processes.plan();
    int slaveAt = RingNetwork.SWITCHES;
    for (DomainPlan domain : plan.domains()) {
      if (plan.nodeId(domain.firstMaster()).equals(report.node())) {
        if (ClusterProcesses.mastered(report, domain.name()) != domain.dpids().size()) {
          return false;
        }
        slaveAt -= domain.dpids().size();
      }
    }
    return report.ready()
        && report.quorum()
        && report.links().size() == RingNetwork.DIRECTED_LINKS
        && report.switches().stream().filter(one -> one.role().equals("slave")).count() == slaveAt;
  }

  private void restartHalted() {
    for (NodeProcess node : nodes()) {
      if (!node.running() && !killed.contains(node)) {
        int code = node.process().exitValue();
        if (code != ExitCode.HALTED) {
          throw new IllegalStateException(node.id() + " ended with exit code " + code);
        }
        System.out.println(node.id() + " halted and is started anew\n" + node.lastLines());
        node.start();
      }
    }
  }

  /** Waits until no node says any longer that it reaches a majority. */
  void awaitNoQuorum() {
    Await.until(
        "all who run say that there is no quorum",
        PATIENCE,
        () -> {
          ClusterStatus status = status();
          return !status.answers().isEmpty() && !status.quorum();
        },
        this::describe);
  }

  /** A client of the store of its own; what it submits is answered after 10 s at the latest. */
  StoreClient openStore() throws ConfigException {
    StoreAddress address = ConfiguredStore.address(processes.plan().configFile(0));
    ClientConfig usual = ClientConfig.of(address.cluster(), address.members(), CLIENT_ID);
    ClientConfig config =
        new ClientConfig(
            usual.clusterId(),
            usual.members(),
            usual.clientId(),
            usual.window(),
            usual.maxRequestBytes(),
            usual.retryMillis(),
            STORE_DEADLINE_MILLIS);
    ClientOptions options =
        new ClientOptions("ring test", 60_000, STORE_DEADLINE_MILLIS, 1 << 10, Map.of());
    return BatchingStoreClient.open(
        BftSmartClient.connect(config), options, System::nanoTime, new SecureRandom()::nextLong);
  }

  /** Resident memory of all nodes in megabytes. */
  long residentMegabytes() throws IOException {
    long kilobytes = 0;
    for (NodeProcess node : nodes()) {
      kilobytes += node.residentKilobytes();
    }
    return kilobytes / 1024;
  }

  /** The status as people see it, what became of packets, and the ends of all logs. */
  String describe() {
    String packets =
        nodes().stream()
            .map(node -> "---- packets at " + node.id() + "\n" + packets(node))
            .collect(Collectors.joining("\n"));
    String status = String.join("\n", StatusTable.lines(status()));
    return String.join("\n", status, packets, processes.logs());
  }

  private static String packets(NodeProcess node) {
    try (InputStream in =
        URI.create("http://" + node.adminEndpoint() + "/metrics").toURL().openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("lockstep_packet_ins") && !line.endsWith(" 0.0"))
          .collect(Collectors.joining("\n"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    processes.close();
  }
}
