package io.lockstep.demo;

import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import io.lockstep.deploy.launch.ClusterPlan;
import io.lockstep.deploy.launch.LaunchedNode;
import io.lockstep.deploy.process.ExitCode;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The demo's nodes: launched, watched over their admin HTTP, and started anew where a replica
 * halted, as a service supervisor would do. Told what to do by the demo's thread; {@link #report}
 * may be called from any.
 */
final class DemoCluster implements AutoCloseable {
  private static final int ASK_MILLIS = 1500;
  private static final int WATCH_MILLIS = 150;

  private final ClusterPlan plan;
  private final Consumer<String> events;
  private final List<LaunchedNode> nodes = new ArrayList<>();
  private final List<AdminClient> admins = new ArrayList<>();
  private final AtomicReferenceArray<@Nullable NodeReport> reports;
  private final List<Thread> watchers = new ArrayList<>();
  private volatile int wantedDown = -1;
  private volatile boolean closed;

  DemoCluster(ClusterPlan plan, List<String> nodeOptions, Consumer<String> events) {
    this.plan = plan;
    this.events = events;
    this.reports = new AtomicReferenceArray<>(plan.nodes());
    for (int i = 0; i < plan.nodes(); i++) {
      nodes.add(
          LaunchedNode.of(
              plan.configFile(i), plan.directory().resolve(plan.nodeId(i) + ".log"), nodeOptions));
      admins.add(new AdminClient(plan.adminEndpoint(i), ASK_MILLIS));
    }
  }

  /** Starts all nodes and begins to watch them. */
  void start() throws IOException {
    for (int i = 0; i < nodes.size(); i++) {
      int node = i;
      nodes.get(i).start();
      Thread watcher = new Thread(() -> watch(node), "watch-" + plan.nodeId(i));
      watcher.setDaemon(true);
      watchers.add(watcher);
      watcher.start();
    }
  }

  private void watch(int node) {
    while (!closed) {
      reports.set(node, ask(node));
      LaunchedNode launched = nodes.get(node);
      if (!launched.running() && wantedDown != node && !closed) {
        int code = launched.process().exitValue();
        if (code != ExitCode.HALTED) {
          events.accept(
              plan.nodeId(node) + " ended with exit code " + code + ": see " + launched.log());
          return;
        }
        events.accept(plan.nodeId(node) + " halted; starting it anew");
        try {
          launched.start();
        } catch (IOException e) {
          throw new UncheckedIOException("starting " + plan.nodeId(node), e);
        }
      }
      pause(WATCH_MILLIS);
    }
  }

  private @Nullable NodeReport ask(int node) {
    try {
      return nodes.get(node).running() ? admins.get(node).report() : null;
    } catch (IOException notThere) {
      return null; // shown as not there
    }
  }

  static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The node's latest report, null where it does not answer. */
  @Nullable NodeReport report(int node) {
    return reports.get(node);
  }

  /** All reports there are. */
  List<NodeReport> reports() {
    List<NodeReport> all = new ArrayList<>();
    for (int i = 0; i < nodes.size(); i++) {
      NodeReport report = reports.get(i);
      if (report != null) {
        all.add(report);
      }
    }
    return all;
  }

  /** Whether the process runs. */
  boolean running(int node) {
    return nodes.get(node).running();
  }

  /** Whether every node is ready. */
  boolean allReady() {
    return reports().stream().filter(NodeReport::ready).count() == nodes.size();
  }

  /** Position of the node that masters a domain, as the cluster says; -1 for none. */
  int masterOf(String domain) {
    for (NodeReport report : reports()) {
      for (NodeReport.DomainReport one : report.domains()) {
        if (report.ready() && one.name().equals(domain) && one.master() != null) {
          return position(one.master());
        }
      }
    }
    return -1;
  }

  private int position(String id) {
    for (int i = 0; i < nodes.size(); i++) {
      if (plan.nodeId(i).equals(id)) {
        return i;
      }
    }
    return -1;
  }

  /** How many switches of a domain the node acts on as master, as it says itself. */
  int mastered(int node, String domain) {
    NodeReport report = reports.get(node);
    return report == null ? 0 : mastered(report, domain);
  }

  private static int mastered(NodeReport report, String domain) {
    int count = 0;
    for (SwitchReport one : report.switches()) {
      if (one.domain().equals(domain) && one.role().equals("master")) {
        count++;
      }
    }
    return count;
  }

  /** Kills a node as {@code kill -9} does; it stays down until {@link #restart}. */
  void kill(int node) {
    wantedDown = node;
    nodes.get(node).process().destroyForcibly();
  }

  /** Starts a killed node. */
  void restart(int node) throws IOException {
    nodes.get(node).kill();
    nodes.get(node).start();
    wantedDown = -1;
  }

  /**
   * Asks the survivors, over and over, until one of them masters all switches of a domain.
   *
   * @return its position, or -1 where the time is up
   */
  int awaitTakeover(int killed, String domain, int switches, long deadlineNanos) {
    while (System.nanoTime() < deadlineNanos) {
      for (int i = 0; i < nodes.size(); i++) {
        NodeReport report = i == killed ? null : ask(i);
        if (report != null && mastered(report, domain) == switches) {
          return i;
        }
      }
      pause(10);
    }
    return -1;
  }

  /** The ids of the domains a node masters, as the cluster says. */
  List<String> domainsOf(int node) {
    return plan.domains().stream()
        .map(ClusterPlan.DomainPlan::name)
        .filter(domain -> masterOf(domain) == node)
        .toList();
  }

  /** How many links the cluster knows, in both directions. */
  int links() {
    return reports().stream().mapToInt(report -> report.links().size()).max().orElse(0);
  }

  /** Why it does not work, for a failed demo: what each node says. */
  String complaint() {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < nodes.size(); i++) {
      NodeReport report = reports.get(i);
      text.append("\n  ").append(plan.nodeId(i)).append(": ");
      if (report == null) {
        text.append(running(i) ? "does not answer" : "does not run");
      } else {
        text.append(Objects.requireNonNullElse(report.notReadyBecause(), "ready"));
      }
      text.append("; log ").append(nodes.get(i).log());
    }
    return text.toString();
  }

  @Override
  public void close() {
    closed = true;
    nodes.forEach(LaunchedNode::close);
  }
}
