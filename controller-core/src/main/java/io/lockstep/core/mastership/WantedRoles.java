package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import org.jspecify.annotations.Nullable;

/** The role that this node should have at a switch, by what it knows of the store. */
final class WantedRoles {
  private final Domains domains;
  private final Membership membership;
  private final Ownership ownership;
  private final HandOvers handOvers;

  WantedRoles(Domains domains, Membership membership, Ownership ownership, HandOvers handOvers) {
    this.domains = domains;
    this.membership = membership;
    this.ownership = ownership;
    this.handOvers = handOvers;
  }

  /** The role that the connection should have now, or null to leave it as it is. */
  RoleKeeper.@Nullable Ask at(long dpid) {
    if (membership.activeSession() == 0) {
      return null;
    }
    Ownership.Owner owner = ownership.owner(dpid);
    DomainConfig domain = domains.domainOf(dpid);
    if (domain != null && handOvers.listens(domain.name()) && !ownership.delegated(dpid)) {
      return new RoleKeeper.Ask(SwitchRole.EQUAL, handOvers.expected(domain.name()), 0);
    }
    if (owner == null) {
      return null;
    }
    if (owner.sessionId() != membership.activeSession()) {
      return new RoleKeeper.Ask(SwitchRole.SLAVE, owner.fence().epoch(), 0);
    }
    if (domain != null && isLeaving(domain)) {
      return null;
    }
    return new RoleKeeper.Ask(SwitchRole.MASTER, owner.fence().epoch(), owner.sessionId());
  }

  /** Also for switches with epochs of their own: they go along. */
  private boolean isLeaving(DomainConfig domain) {
    DomainRecord known = ownership.domains().known(domain.name());
    return known != null && handOvers.isLeaving(new Fence(domain.name(), known.epoch()));
  }

  /** Whether the connections have a role, or will not get it, or do not come with the domain. */
  boolean areHeld(SwitchRole role, Iterable<RoleKeeper> keepers) {
    for (RoleKeeper keeper : keepers) {
      boolean comes = !ownership.delegated(keeper.hold().dpid());
      if (comes && !keeper.hold().closed() && keeper.role() != role && keeper.trouble().isEmpty()) {
        return false;
      }
    }
    return true;
  }
}
