package io.lockstep.core.operation;

import io.lockstep.core.cluster.ConnectionTable;
import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.DrainedNode;
import io.lockstep.core.cluster.Member;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.DelegationRecord;
import io.lockstep.core.mastership.DomainRecord;
import io.lockstep.core.mastership.Ownership;
import io.lockstep.core.state.TableView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Who lives and who reaches what, by this node's views: the moment of a decision, not its
 * certainty. Thread-safe.
 */
final class Surroundings {
  private static final int NAMED = 4;

  private final NodeConfig config;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;

  Surroundings(
      NodeConfig config, Membership membership, Connections connections, Ownership ownership) {
    this.config = config;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
  }

  /** Whether a node belongs to the cluster, by this node's file or by what joined once. */
  boolean isMember(String node) {
    return memberIds().contains(node);
  }

  /** All nodes, by name. */
  Set<String> memberIds() {
    Set<String> ids = new TreeSet<>(membership.nodes().entries().keySet());
    config.members().stream().map(Member::nodeId).forEach(ids::add);
    return ids;
  }

  /** The session of a node that can be given something; 0 where it cannot. */
  long availableSessionOf(String node) {
    return membership.availableSessionOf(node);
  }

  /** Whether a node other than this one lives and is not drained. */
  boolean anotherLives(String node, List<DrainedNode> drained) {
    return membership.liveNodes().keySet().stream()
        .anyMatch(
            other ->
                !other.equals(node) && drained.stream().noneMatch(one -> one.node().equals(other)));
  }

  /** The living master of a domain by its record; empty where it has none. */
  String master(DomainRecord record) {
    return !record.released() && membership.sessionOpen(record.sessionId()) ? record.node() : "";
  }

  /** The living master of a domain, as this node knows; a dash where it has none. */
  String masterOf(String domain) {
    DomainRecord master = ownership.master(domain);
    return master == null ? "-" : master.node();
  }

  /** The switches with an epoch of their own that a node masters, in hexadecimal. */
  List<String> switchesAt(String node) {
    Set<Long> found = new TreeSet<>(Long::compareUnsigned);
    for (Map.Entry<Long, TableView.Held<DelegationRecord>> entry :
        ownership.delegations().entries().entrySet()) {
      DelegationRecord one = entry.getValue().value();
      if (one.node().equals(node) && ownership.delegated(entry.getKey())) {
        found.add(entry.getKey());
      }
    }
    return found.stream().map(Long::toHexString).toList();
  }

  /** The switches of a domain that some living node reaches, but not this one; in hexadecimal. */
  List<String> outOfReach(DomainConfig domain, String node) {
    Set<Long> found = new TreeSet<>(Long::compareUnsigned);
    for (ConnectionTable.Key key : connections.view().entries().keySet()) {
      if (domain.contains(key.dpid())
          && connections.connected(key.node(), key.dpid())
          && !connections.connected(node, key.dpid())) {
        found.add(key.dpid());
      }
    }
    return found.stream().map(Long::toHexString).toList();
  }

  /** The switches that a node reaches and no other that is not drained; in hexadecimal. */
  List<String> reachedOnlyBy(String node, List<DrainedNode> drained) {
    Set<String> away = drained.stream().map(DrainedNode::node).collect(Collectors.toSet());
    Set<Long> found = new TreeSet<>(Long::compareUnsigned);
    for (ConnectionTable.Key key : connections.view().entries().keySet()) {
      if (key.node().equals(node)
          && connections.connected(node, key.dpid())
          && connections.nodesOf(key.dpid()).stream()
              .allMatch(other -> other.equals(node) || away.contains(other))) {
        found.add(key.dpid());
      }
    }
    return found.stream().map(Long::toHexString).toList();
  }

  /** The first few of them, and how many more there are. */
  static String named(List<String> switches) {
    List<String> first = new ArrayList<>(switches.subList(0, Math.min(NAMED, switches.size())));
    int more = switches.size() - first.size();
    return String.join(", ", first) + (more > 0 ? " and " + more + " more" : "");
  }
}
