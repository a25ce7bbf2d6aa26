package io.lockstep.bench.cluster;

import io.lockstep.bench.openflow.LoadPlan;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.deploy.launch.PortBlock;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;

/**
 * Three controller nodes on this machine, each with a replica of the store; the switches of a plan
 * are divided among as many domains, each mastered by a node of its own. Used by one thread.
 */
public final class NodeProcesses implements AutoCloseable {
  /** How many nodes. */
  public static final int NODES = 3;

  private static final int ASK_MILLIS = 2000;
  private static final int ASK_AGAIN_MILLIS = 200;

  /** Configuration that lets a switch and a port send as much as they can. */
  public static final String WITHOUT_QUOTAS = "limits: {packetsPerPort: 0, packetsPerSwitch: 0}\n";

  private final PortBlock ports = PortBlock.take();
  private final ClusterPlan plan;
  private final List<LaunchedNode> nodes = new ArrayList<>();

  /**
   * Starts them.
   *
   * @param directory of their configuration files and logs
   * @param domains of the switches
   * @param extra further lines of each configuration file, may be empty
   */
  public NodeProcesses(Path directory, List<DomainPlan> domains, String extra) throws IOException {
    this(directory, domains, extra, false);
  }

  /**
   * Starts them with or without keys.
   *
   * @param keys whether the links between nodes, and of clients to replicas, use TLS; switches come
   *     from loopback without it
   */
  public NodeProcesses(Path directory, List<DomainPlan> domains, String extra, boolean keys)
      throws IOException {
    this(directory, domains, extra, keys, LaunchedNode::of);
  }

  /**
   * Starts nodes of another kind.
   *
   * @param kind gives the process for a configuration file and a log
   */
  public NodeProcesses(
      Path directory,
      List<DomainPlan> domains,
      String extra,
      BiFunction<Path, Path, LaunchedNode> kind)
      throws IOException {
    this(directory, domains, extra, false, kind);
  }

  private NodeProcesses(
      Path directory,
      List<DomainPlan> domains,
      String extra,
      boolean keys,
      BiFunction<Path, Path, LaunchedNode> kind)
      throws IOException {
    plan = new ClusterPlan(directory, "bench", NODES, ports, domains, extra);
    try {
      if (keys) {
        plan.writeConfigurationsWithKeys();
      } else {
        plan.writeConfigurations();
      }
      for (int node = 0; node < NODES; node++) {
        LaunchedNode launched =
            kind.apply(plan.configFile(node), directory.resolve(plan.nodeId(node) + ".log"));
        nodes.add(launched);
        launched.start();
      }
    } catch (IOException e) {
      close();
      throw e;
    }
  }

  /** Switches in runs of equal length, as far as they can be. */
  public static List<DomainPlan> domains(LoadPlan switches) {
    List<DomainPlan> domains = new ArrayList<>();
    for (int domain = 0; domain < NODES; domain++) {
      List<Long> dpids = new ArrayList<>();
      int from = domain * switches.switches() / NODES;
      int to = (domain + 1) * switches.switches() / NODES;
      for (int index = from; index < to; index++) {
        dpids.add(switches.dpid(index));
      }
      if (!dpids.isEmpty()) {
        domains.add(new DomainPlan("d" + (domain + 1), dpids, domain));
      }
    }
    return domains;
  }

  /** Where switches connect. */
  public List<InetSocketAddress> controllers() {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (int node = 0; node < NODES; node++) {
      addresses.add(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), plan.openflowPort(node)));
    }
    return addresses;
  }

  /**
   * Waits until every domain is mastered by the node that is to master it; another may have to hand
   * it back first, and a hand-over inside the measured window would be measured too.
   *
   * @throws TimeoutException where they do not within {@code deadlineMillis}
   */
  public void awaitMasters(long deadlineMillis) throws InterruptedException, TimeoutException {
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    for (DomainPlan domain : plan.domains()) {
      AdminClient admin = new AdminClient(plan.adminEndpoint(domain.firstMaster()), ASK_MILLIS);
      long mastered = mastered(admin);
      while (mastered < domain.dpids().size()) {
        if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException(
              String.format(
                  "after %d ms node %s masters %d of the %d switches of domain %s",
                  deadlineMillis,
                  plan.nodeId(domain.firstMaster()),
                  mastered,
                  domain.dpids().size(),
                  domain.name()));
        }
        Thread.sleep(ASK_AGAIN_MILLIS);
        mastered = mastered(admin);
      }
    }
  }

  /** How many switches the node masters; 0 while it does not answer. */
  private static long mastered(AdminClient admin) {
    try {
      return admin.report().switches().stream().filter(one -> one.role().equals("master")).count();
    } catch (IOException notUpYet) {
      return 0;
    }
  }

  /** Where they listen and log, by the number of the node. */
  public ClusterPlan plan() {
    return plan;
  }

  /** The processes. */
  public List<ProcessHandle> handles() {
    return nodes.stream().map(node -> node.process().toHandle()).toList();
  }

  /** Whether a node's process runs. */
  public boolean running(int node) {
    return nodes.get(node).running();
  }

  /** Kills a node as {@code kill -9} does. */
  public void kill(int node) {
    nodes.get(node).kill();
  }

  /** Asks a node to stop, as SIGTERM does, and does not wait for it. */
  public void terminate(int node) {
    nodes.get(node).process().destroy();
  }

  /** Starts a node that has ended. */
  public void start(int node) throws IOException {
    nodes.get(node).start();
  }

  /** The nodes that have ended, with their exit codes, or empty. */
  public String obituary() {
    StringBuilder text = new StringBuilder();
    for (int node = 0; node < nodes.size(); node++) {
      if (!nodes.get(node).running()) {
        int code = nodes.get(node).process().exitValue();
        text.append("; ").append(plan.nodeId(node)).append(" ended with ").append(code);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    nodes.forEach(LaunchedNode::close);
    ports.close();
  }
}
