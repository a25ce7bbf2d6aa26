package io.lockstep.core.cluster;

import io.lockstep.keys.LinkKeys;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a node's file says of the node and its cluster. The nodes of a cluster have the same
 * members; they tell each other where they differ. Immutable.
 *
 * @param clusterId name of the cluster; peers of another cluster are refused
 * @param nodeId this node, one of {@code members}
 * @param members all nodes
 * @param domains the first value of the domains, should the store have none yet; the node acts only
 *     on those in the store ({@link Domains})
 * @param handBackDelayMillis how long a preferred master must have been connected to all switches
 *     of its domain before the domain goes back to it
 * @param file the path of the file, to be named in messages; empty where there is none
 * @param processes every process that the file lists
 * @param keys of the node's process; null where its links are neither authenticated nor encrypted
 */
public record NodeConfig(
    String clusterId,
    String nodeId,
    List<Member> members,
    List<DomainConfig> domains,
    int handBackDelayMillis,
    String file,
    List<ListedProcess> processes,
    @Nullable LinkKeys keys) {

  public NodeConfig {
    NameSyntax.require(clusterId, "cluster id");
    members = List.copyOf(members);
    domains = List.copyOf(domains);
    processes = List.copyOf(processes);
    Set<String> nodeIds = new HashSet<>();
    for (Member member : members) {
      if (!nodeIds.add(member.nodeId())) {
        throw new IllegalArgumentException("node " + member.nodeId() + " is a member twice");
      }
    }
    if (!nodeIds.contains(nodeId)) {
      throw new IllegalArgumentException("node " + nodeId + " is not among the members");
    }
    DomainMap.of(domains).withMasters(nodeIds);
    for (DomainConfig domain : domains) {
      for (String preferred : domain.preferredMasters()) {
        if (!nodeIds.contains(preferred)) {
          throw new IllegalArgumentException(
              "domain " + domain.name() + " prefers " + preferred + ", which is no member");
        }
      }
    }
    if (handBackDelayMillis < 0) {
      throw new IllegalArgumentException("a hand-back delay cannot be negative");
    }
  }

  /** A configuration that comes from no file: its processes are the members. */
  public NodeConfig(
      String clusterId,
      String nodeId,
      List<Member> members,
      List<DomainConfig> domains,
      int handBackDelayMillis) {
    this(
        clusterId,
        nodeId,
        members,
        domains,
        handBackDelayMillis,
        "",
        members.stream().map(ListedProcess::of).toList(),
        null);
  }

  /** A configuration without keys. */
  public NodeConfig(
      String clusterId,
      String nodeId,
      List<Member> members,
      List<DomainConfig> domains,
      int handBackDelayMillis,
      String file,
      List<ListedProcess> processes) {
    this(clusterId, nodeId, members, domains, handBackDelayMillis, file, processes, null);
  }

  /** The same node with keys. */
  public NodeConfig withKeys(LinkKeys other) {
    return new NodeConfig(
        clusterId, nodeId, members, domains, handBackDelayMillis, file, processes, other);
  }

  /** This node as a member. */
  public Member self() {
    for (Member member : members) {
      if (member.nodeId().equals(nodeId)) {
        return member;
      }
    }
    throw new IllegalStateException("the constructor made sure of " + nodeId);
  }
}
