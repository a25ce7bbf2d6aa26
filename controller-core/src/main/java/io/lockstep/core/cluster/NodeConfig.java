package io.lockstep.core.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of itself and its cluster before it starts. All nodes of a cluster have the
 * same members and domains, in the same order. Immutable.
 *
 * @param clusterId name of the cluster; peers of another cluster are refused
 * @param nodeId this node, one of {@code members}
 * @param members all nodes
 * @param domains the domains; a switch belongs to the first that contains it, and to none where
 *     none does: then nobody masters it
 * @param handBackDelayMillis how long a preferred master must have been connected to all switches
 *     of its domain before the domain goes back to it
 */
public record NodeConfig(
    String clusterId,
    String nodeId,
    List<Member> members,
    List<DomainConfig> domains,
    int handBackDelayMillis) {

  /** The usual delay before a domain goes back to its preferred master. */
  public static final int HAND_BACK_DELAY_MILLIS = 10_000;

  public NodeConfig {
    Names.require(clusterId, "cluster id");
    members = List.copyOf(members);
    domains = List.copyOf(domains);
    Set<String> nodeIds = new HashSet<>();
    for (Member member : members) {
      if (!nodeIds.add(member.nodeId())) {
        throw new IllegalArgumentException("node " + member.nodeId() + " is a member twice");
      }
    }
    if (!nodeIds.contains(nodeId)) {
      throw new IllegalArgumentException("node " + nodeId + " is not among the members");
    }
    Set<String> names = new HashSet<>();
    for (DomainConfig domain : domains) {
      if (!names.add(domain.name())) {
        throw new IllegalArgumentException("domain " + domain.name() + " is configured twice");
      }
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

  /** This node as a member. */
  public Member self() {
    for (Member member : members) {
      if (member.nodeId().equals(nodeId)) {
        return member;
      }
    }
    throw new IllegalStateException("the constructor made sure of " + nodeId);
  }

  /** The domain of a switch, or null. */
  public @Nullable DomainConfig domainOf(long dpid) {
    for (DomainConfig domain : domains) {
      if (domain.contains(dpid)) {
        return domain;
      }
    }
    return null;
  }

  /** All members in the order in which they should master a domain. */
  public List<String> preference(DomainConfig domain) {
    List<String> order = new ArrayList<>(domain.preferredMasters());
    int shift = order.isEmpty() ? Math.max(0, domains.indexOf(domain)) : 0;
    for (int i = 0; i < members.size(); i++) {
      String member = members.get((i + shift) % members.size()).nodeId();
      if (!order.contains(member)) {
        order.add(member);
      }
    }
    return order;
  }
}
