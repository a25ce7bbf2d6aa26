package io.lockstep.core.node;

import io.lockstep.core.cluster.Difference;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a node knows of itself and its cluster at one moment.
 *
 * @param quorum whether the node takes part: the store answers and its lease holds
 * @param reason why it does not take part; empty where it does
 * @param sessionId its session, 0 where it does not take part
 * @param domainDifferences where this node's file differs from the domains in force
 * @param memberDifferences where the nodes' files list members differently
 * @param membersDiffer why the node is not ready although it takes part; empty where its member
 *     list is the majority's
 * @param witnessed the peers whose processes it watches over an open connection
 */
public record NodeStatus(
    String clusterId,
    String nodeId,
    String version,
    boolean quorum,
    String reason,
    long sessionId,
    Set<String> witnessed,
    List<NodeInfo> nodes,
    List<DomainInfo> domains,
    DomainVersions domainVersions,
    List<Difference> domainDifferences,
    List<Difference> memberDifferences,
    String membersDiffer,
    List<SwitchInfo> switches) {
  public NodeStatus {
    witnessed = Set.copyOf(witnessed);
    nodes = List.copyOf(nodes);
    domains = List.copyOf(domains);
    domainDifferences = List.copyOf(domainDifferences);
    memberDifferences = List.copyOf(memberDifferences);
    switches = List.copyOf(switches);
  }

  /**
   * A node.
   *
   * @param alive whether its session is open
   * @param ready whether it also says that it is ready
   * @param drained whether an operator drained it
   */
  public record NodeInfo(
      String nodeId,
      String host,
      int port,
      boolean alive,
      boolean ready,
      boolean drained,
      String version) {}

  /**
   * A domain.
   *
   * @param master null where no living node masters it
   * @param epoch the last one, 0 where it never had a master
   * @param sinceMillis when the epoch began, in consensus-ordered time
   * @param switches how many of its switches are known
   */
  public record DomainInfo(
      String name, @Nullable String master, long epoch, long sinceMillis, int switches) {}

  /**
   * The versions of the domains.
   *
   * @param inForce 0 where the store has none yet
   * @param next the one on its way, 0 where there is none
   * @param waitsFor the living nodes that the next one waits for
   * @param unreadable why this release cannot act on them; empty where it can
   */
  public record DomainVersions(long inForce, long next, List<String> waitsFor, String unreadable) {
    public DomainVersions {
      waitsFor = List.copyOf(waitsFor);
    }
  }

  /**
   * A switch.
   *
   * @param domain empty where no domain contains it
   * @param master null where no living node masters it
   * @param epoch of its domain, or of the delegation
   * @param delegated whether its domain's master handed it to another node
   * @param role this node's role as the switch granted it: master, slave, equal, none where it is
   *     not connected or nothing was granted
   * @param mastered whether this node may act on it now
   * @param available as its owner says
   * @param connectedTo the living nodes connected to it
   * @param address of the switch's end of this node's connection; empty where not connected
   * @param trouble what stands between the wanted role and the switch, and what else is wrong at it
   *     or was a moment ago; empty where nothing is
   */
  public record SwitchInfo(
      long dpid,
      String domain,
      @Nullable String master,
      long epoch,
      boolean delegated,
      String role,
      boolean mastered,
      boolean available,
      List<String> connectedTo,
      String address,
      String protocol,
      String trouble) {
    public SwitchInfo {
      connectedTo = List.copyOf(connectedTo);
    }
  }
}
