package io.lockstep.deploy.testbed;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.PortBlock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Three nodes as processes under test, each with a replica inside. Used by one thread. */
public final class ClusterProcesses implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final PortBlock ports;
  private final ClusterPlan plan;
  private final List<NodeProcess> nodes = new ArrayList<>();

  private ClusterProcesses(PortBlock ports, ClusterPlan plan) {
    this.ports = ports;
    this.plan = plan;
    for (int i = 0; i < plan.nodes(); i++) {
      nodes.add(
          new NodeProcess(
              plan.nodeId(i),
              "node",
              plan.configFile(i),
              plan.directory().resolve(plan.nodeId(i) + ".log"),
              plan.adminEndpoint(i)));
    }
  }

  /**
   * Three nodes n1 to n3 that are not yet started.
   *
   * @param directory for configuration files and logs
   * @param extra further lines for each configuration file, such as {@code timeouts: {leaseMillis:
   *     2000}}; may be empty
   */
  public static ClusterProcesses prepare(Path directory, List<DomainPlan> domains, String extra) {
    PortBlock ports = PortBlock.take();
    ClusterPlan plan = new ClusterPlan(directory, "test", 3, ports, domains, extra);
    try {
      plan.writeConfigurations();
    } catch (IOException e) {
      ports.close();
      throw new UncheckedIOException("writing configurations", e);
    }
    return new ClusterProcesses(ports, plan);
  }

  /** Three nodes, started and ready. */
  public static ClusterProcesses start(Path directory, List<DomainPlan> domains) {
    ClusterProcesses cluster = prepare(directory, domains, "");
    try {
      cluster.startAll();
      cluster.awaitReady();
      return cluster;
    } catch (RuntimeException | AssertionError e) {
      cluster.close();
      throw e;
    }
  }

  /** Starts all nodes; does not wait. */
  public void startAll() {
    nodes.forEach(NodeProcess::start);
  }

  /** Waits until all nodes are ready. */
  public void awaitReady() {
    nodes.forEach(NodeProcess::awaitReady);
  }

  /** Where each node listens. */
  public ClusterPlan plan() {
    return plan;
  }

  /** A node, from 0. */
  public NodeProcess node(int number) {
    return nodes.get(number);
  }

  /** All nodes. */
  public List<NodeProcess> nodes() {
    return List.copyOf(nodes);
  }

  /** The nodes that run. */
  public List<NodeProcess> running() {
    return nodes.stream().filter(NodeProcess::running).toList();
  }

  /** The node with this name. */
  public NodeProcess named(String id) {
    return nodes.stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
  }

  /** The node whose replica leads, as its own report says; waits for one. */
  public NodeProcess leader() {
    NodeProcess[] found = new NodeProcess[1];
    Await.until(
        "a replica leads",
        PATIENCE,
        () -> {
          for (NodeProcess node : running()) {
            NodeReport.ReplicaReport replica = node.report().replica();
            if (replica != null && replica.quorum() && replica.leader() == replica.id()) {
              found[0] = node;
              return true;
            }
          }
          return false;
        },
        this::logs);
    return Objects.requireNonNull(found[0]);
  }

  /** The node that masters all of a domain's switches, as it says itself; waits for one. */
  public NodeProcess awaitMaster(DomainPlan domain) {
    NodeProcess[] found = new NodeProcess[1];
    Await.until(
        "a node masters all switches of " + domain.name(),
        PATIENCE,
        () -> {
          for (NodeProcess node : running()) {
            if (mastered(node.report(), domain.name()) == domain.dpids().size()) {
              found[0] = node;
              return true;
            }
          }
          return false;
        },
        this::logs);
    return Objects.requireNonNull(found[0]);
  }

  /**
   * The node that is to master a domain, once it masters all of its switches. Another may be faster
   * at the start, and gives it back.
   */
  public NodeProcess awaitPreferred(DomainPlan domain) {
    NodeProcess preferred = nodes.get(domain.firstMaster());
    Await.until(
        preferred.id() + " masters all switches of " + domain.name(),
        PATIENCE,
        () ->
            preferred.running()
                && mastered(preferred.report(), domain.name()) == domain.dpids().size(),
        this::logs);
    return preferred;
  }

  /** How many switches of a domain the reporting node may act on. */
  public static long mastered(NodeReport report, String domain) {
    return report.switches().stream()
        .filter(one -> one.domain().equals(domain) && one.role().equals("master"))
        .count();
  }

  /** {@code host:port} of all admin HTTPs, for {@code status -e}. */
  public String endpoints() {
    return String.join(",", nodes.stream().map(NodeProcess::adminEndpoint).toList());
  }

  /** The ends of all logs. */
  public String logs() {
    return String.join("\n", nodes.stream().map(NodeProcess::lastLines).toList());
  }

  @Override
  public void close() {
    nodes.forEach(NodeProcess::close);
    ports.close();
  }
}
