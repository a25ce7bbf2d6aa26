package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.state.NodeState;
import io.lockstep.core.state.TableView;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Who masters what according to this node's view of the store. Thread-safe; may be older than the
 * store, which is why a write carries a fence and a role request a generation id.
 */
public final class Ownership {
  private final Domains map;
  private final Membership membership;
  private final TableView<String, DomainRecord> domains;
  private final TableView<Long, DelegationRecord> delegations;

  /** Declares the tables of mastership. */
  public Ownership(Domains map, NodeState state, Membership membership) {
    this.map = map;
    this.membership = membership;
    this.domains = state.declare(DomainTable.NAME, new DomainTable());
    this.delegations = state.declare(DelegationTable.NAME, new DelegationTable());
  }

  /**
   * The master of a switch.
   *
   * @param node the node
   * @param sessionId its session
   * @param fence what its writes for the switch carry; the epoch is the generation id
   */
  public record Owner(String node, long sessionId, Fence fence) {}

  /** The domains' masters. */
  public TableView<String, DomainRecord> domains() {
    return domains;
  }

  /**
   * The switches with an epoch of their own: mastered by another node than their domain, or back.
   */
  public TableView<Long, DelegationRecord> delegations() {
    return delegations;
  }

  /** Whether a switch is assigned to another node than its domain's master. */
  public boolean delegated(long dpid) {
    DelegationRecord delegation = delegations.known(dpid);
    DomainRecord domain = delegation == null ? null : domains.known(delegation.domain());
    return delegation != null && (domain == null || domain.sessionId() != delegation.sessionId());
  }

  /** The living master of a domain, or null. */
  public @Nullable DomainRecord master(String domain) {
    DomainRecord known = domains.known(domain);
    return known != null && !known.released() && membership.sessionOpen(known.sessionId())
        ? known
        : null;
  }

  /**
   * The living master of a switch, or null where it has none, or is in no domain or on its way to
   * another. A switch whose own node has ended has none before its domain's master takes it back,
   * unless the domain's epoch has passed the switch's: the generation ids that it sees always grow.
   */
  public @Nullable Owner owner(long dpid) {
    while (true) {
      long version = map.current().version();
      Owner owner = ownerNow(dpid);
      // A fence joins a domain and its epoch; both must be of one version.
      if (map.current().version() == version) {
        return owner;
      }
    }
  }

  private @Nullable Owner ownerNow(long dpid) {
    DomainConfig domain = map.domainOf(dpid);
    if (domain == null) {
      return null;
    }
    DelegationRecord delegation = delegations.known(dpid);
    if (delegation != null && membership.sessionOpen(delegation.sessionId())) {
      return new Owner(
          delegation.node(),
          delegation.sessionId(),
          new Fence(SwitchScope.name(dpid), delegation.epoch()));
    }
    DomainRecord master = master(domain.name());
    if (master == null || (delegation != null && delegation.epoch() >= master.epoch())) {
      return null;
    }
    return new Owner(master.node(), master.sessionId(), new Fence(domain.name(), master.epoch()));
  }

  /**
   * The least epoch in which a domain without a living master has all its switches that have no
   * living master of their own; 0 where any will do.
   */
  long leastEpoch(DomainConfig domain) {
    long least = 0;
    for (Map.Entry<Long, TableView.Held<DelegationRecord>> entry :
        delegations.entries().entrySet()) {
      DelegationRecord delegation = entry.getValue().value();
      if (domain.contains(entry.getKey()) && !membership.sessionOpen(delegation.sessionId())) {
        least = Math.max(least, delegation.epoch() + 1);
      }
    }
    return Math.min(least, DomainRecord.MAX_EPOCH - 1);
  }

  /**
   * Who removes what is left of a switch that is in no domain, and so has no master: the master of
   * the first domain, in the order of the map, that has one. Null where the switch is in a domain
   * or on its way to one, or where no domain has a master.
   */
  @Nullable Owner heir(long dpid) {
    if (map.domainOf(dpid) != null || map.moving(dpid)) {
      return null;
    }
    for (DomainConfig domain : map.inForce()) {
      DomainRecord master = master(domain.name());
      if (master != null) {
        return new Owner(
            master.node(), master.sessionId(), new Fence(domain.name(), master.epoch()));
      }
    }
    return null;
  }

  /** The fence under which this node removes what is left of a switch in no domain, or null. */
  public @Nullable Fence ownLeftovers(long dpid) {
    Owner heir = heir(dpid);
    return heir != null && isOwn(heir.sessionId()) ? heir.fence() : null;
  }

  /** The fence of a domain that this node masters and takes part for, or null. */
  public @Nullable Fence ownDomain(String domain) {
    DomainRecord master = master(domain);
    return master != null && isOwn(master.sessionId()) ? new Fence(domain, master.epoch()) : null;
  }

  /** The fence of a switch that this node masters and takes part for, or null. */
  public @Nullable Fence ownSwitch(long dpid) {
    Owner owner = owner(dpid);
    return owner != null && isOwn(owner.sessionId()) ? owner.fence() : null;
  }

  private boolean isOwn(long sessionId) {
    return sessionId == membership.activeSession() && membership.lease().holds(sessionId);
  }
}
