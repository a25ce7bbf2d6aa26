package io.lockstep.bench.network;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.dataplane.network.EmulatedSwitch;
import io.lockstep.dataplane.topology.Topology;
import io.lockstep.dataplane.topology.Topology.LinkSpec;
import io.lockstep.dataplane.topology.Topology.PortRef;
import io.lockstep.dataplane.topology.Topology.SwitchSpec;
import io.lockstep.deploy.admin.NodeReport;
import io.lockstep.deploy.admin.NodeReport.DomainReport;
import io.lockstep.deploy.admin.NodeReport.HostReport;
import io.lockstep.deploy.admin.NodeReport.LinkReport;
import io.lockstep.deploy.admin.NodeReport.ReplicaReport;
import io.lockstep.deploy.admin.NodeReport.SwitchReport;
import io.lockstep.deploy.launch.ClusterPlan.DomainPlan;
import io.lockstep.deploy.status.AdminClient;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What nodes say of the network over their admin HTTP. Used by one thread. */
final class NodeViews {
  /** A report of a thousand switches takes a second at a busy node. */
  private static final int ASK_MILLIS = 10_000;

  /** The node that is asked for links and hosts. */
  static final int ASKED = 0;

  private final Topology topology;
  private final NodeProcesses nodes;
  private final Map<String, Integer> homes = new HashMap<>();

  /** The switches' names by datapath id as reports write it. */
  private final Map<String, String> names = new HashMap<>();

  NodeViews(Topology topology, NodeProcesses nodes) {
    this.topology = topology;
    this.nodes = nodes;
    topology.switches().forEach(each -> names.put(dpid(each.dpid()), each.name()));
    nodes.plan().domains().forEach(each -> homes.put(each.name(), each.firstMaster()));
  }

  /** The domains of a network, each with a preferred master of its own. */
  static List<DomainPlan> domains(Topology topology) {
    List<DomainPlan> domains = new ArrayList<>();
    for (String name : topology.domains()) {
      List<Long> dpids =
          topology.switches().stream()
              .filter(each -> each.domain().equals(name))
              .map(SwitchSpec::dpid)
              .toList();
      domains.add(new DomainPlan(name, dpids, domains.size() % NodeProcesses.NODES));
    }
    return domains;
  }

  private static String dpid(long dpid) {
    return String.format(Locale.ROOT, "%016x", dpid);
  }

  /** The node that prefers to master a switch. */
  int home(EmulatedSwitch one) {
    return homes.getOrDefault(one.domain(), 0);
  }

  private @Nullable NodeReport ask(int node) {
    try {
      return nodes.running(node)
          ? new AdminClient(nodes.plan().adminEndpoint(node), ASK_MILLIS).report()
          : null;
    } catch (IOException noAnswer) {
      return null;
    }
  }

  /** What is said of each running node where it does not answer. */
  private String silent(int node) {
    return "any at " + nodes.plan().nodeId(node) + ", which does not answer";
  }

  /** Nodes that are not ready, and domains that are not mastered by the node that prefers it. */
  List<String> unready() {
    List<String> missing = new ArrayList<>();
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      NodeReport report = ask(node);
      if (report == null) {
        missing.add(silent(node));
      } else if (!report.ready()) {
        missing.add(report.node() + " (" + report.notReadyBecause() + ")");
      } else if (node == ASKED) {
        missing.addAll(domainsAway(report));
      }
    }
    return missing;
  }

  private List<String> domainsAway(NodeReport report) {
    Map<String, String> masters = new HashMap<>();
    for (DomainReport one : report.domains()) {
      if (one.master() != null) {
        masters.put(one.name(), one.master());
      }
    }
    return homes.entrySet().stream()
        .filter(each -> !nodes.plan().nodeId(each.getValue()).equals(masters.get(each.getKey())))
        .map(each -> each.getKey() + " of " + nodes.plan().nodeId(each.getValue()))
        .sorted()
        .toList();
  }

  /** Switches that a running node is not connected to, by its own word. */
  List<String> unconnected() {
    List<String> missing = new ArrayList<>();
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      missing.addAll(unlike(node, names.keySet(), one -> !one.role().equals("none")));
    }
    return missing;
  }

  private List<String> unlike(int node, Collection<String> dpids, Predicate<SwitchReport> wanted) {
    NodeReport report = ask(node);
    if (report == null) {
      return List.of(silent(node));
    }
    Set<String> missing = new TreeSet<>(dpids);
    report.switches().stream().filter(wanted).map(SwitchReport::dpid).forEach(missing::remove);
    return missing.stream()
        .map(each -> names.getOrDefault(each, each) + " at " + report.node())
        .toList();
  }

  /** Switches of which none of these nodes says that it acts as their master. */
  List<String> unmastered(Collection<EmulatedSwitch> switches, IntPredicate by) {
    Set<String> missing = new TreeSet<>();
    switches.forEach(each -> missing.add(dpid(each.dpid())));
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      NodeReport report = by.test(node) ? ask(node) : null;
      if (report != null) {
        report.switches().stream()
            .filter(one -> one.role().equals("master"))
            .map(SwitchReport::dpid)
            .forEach(missing::remove);
      }
    }
    return missing.stream().map(each -> names.getOrDefault(each, each)).toList();
  }

  /** Links that the asked node does not know, each direction, and those that do not exist. */
  List<String> wrongLinks() {
    NodeReport report = ask(ASKED);
    if (report == null) {
      return List.of(silent(ASKED));
    }
    Set<String> known = new HashSet<>();
    for (LinkReport link : report.links()) {
      known.add(
          end(link.fromSwitch(), link.fromPort()) + " -> " + end(link.toSwitch(), link.toPort()));
    }
    List<String> wrong = new ArrayList<>();
    for (LinkSpec link : topology.links()) {
      for (String one : List.of(link(link.a(), link.b()), link(link.b(), link.a()))) {
        if (!known.remove(one)) {
          wrong.add(one);
        }
      }
    }
    known.stream().sorted().forEach(each -> wrong.add(each + ", which does not exist"));
    return wrong;
  }

  private static String link(PortRef from, PortRef to) {
    return from + " -> " + to;
  }

  private String end(String dpid, long port) {
    return names.getOrDefault(dpid, dpid) + ":" + port;
  }

  /** MAC addresses of the hosts that the asked node knows; empty where it does not answer. */
  Set<String> hosts() {
    NodeReport report = ask(ASKED);
    return report == null
        ? Set.of()
        : report.hosts().stream().map(HostReport::mac).collect(Collectors.toSet());
  }

  /** The newest decision that a node's replica applied; 0 where none answers. */
  long lastInstance() {
    long last = 0;
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      NodeReport report = ask(node);
      ReplicaReport replica = report == null ? null : report.replica();
      last = replica == null ? last : Math.max(last, replica.lastInstance());
    }
    return last;
  }

  /** The node whose replica leads the store; -1 where none says so. */
  int leader() {
    for (int node = 0; node < NodeProcesses.NODES; node++) {
      NodeReport report = ask(node);
      ReplicaReport replica = report == null ? null : report.replica();
      if (replica != null && replica.leader() >= 0 && replica.leader() < replica.names().size()) {
        String leader = replica.names().get(replica.leader());
        for (int other = 0; other < NodeProcesses.NODES; other++) {
          if (nodes.plan().nodeId(other).equals(leader)) {
            return other;
          }
        }
      }
    }
    return -1;
  }
}
