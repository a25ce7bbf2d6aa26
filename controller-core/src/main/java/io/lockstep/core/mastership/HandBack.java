package io.lockstep.core.mastership;

import io.lockstep.core.cluster.ConnectionTable;
import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives domains that this node masters to another: back to a preferred master once that has been
 * connected to all known switches of the domain for long enough without a break, so that a node
 * that comes and goes does not make mastership flap; or away on request. Only the present master
 * does this. Owned by the control loop.
 */
final class HandBack {
  private final NodeConfig config;
  private final Domains domains;
  private final Preference preference;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;
  private final HandOver handOver;
  private final Map<String, Ready> ready = new HashMap<>();

  private record Ready(String node, long sessionId, long sinceNanos) {}

  HandBack(
      NodeConfig config,
      Domains domains,
      Preference preference,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock,
      HandOver handOver) {
    this.config = config;
    this.domains = domains;
    this.preference = preference;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.nanoClock = nanoClock;
    this.handOver = handOver;
  }

  /** Looks at all domains; called every now and then. */
  void tick() {
    ready.keySet().removeIf(name -> domains.named(name) == null);
    for (DomainConfig domain : domains.inForce()) {
      Fence own = ownership.ownDomain(domain.name());
      if (own == null || membership.retiring()) {
        ready.remove(domain.name());
      } else if (!handOver.isRunning(domain.name()) && !handOver.isLeaving(own)) {
        review(domain, own);
      }
    }
  }

  /** Gives a domain of this node to the next choice among the living, if there is one. */
  void relinquish(DomainConfig domain) {
    Fence own = ownership.ownDomain(domain.name());
    String next = reaching(domain, preference, membership, connections);
    if (own != null && next != null) {
      handOver.begin(own, next, membership.availableSessionOf(next));
    }
  }

  /**
   * The next choice after this node that reaches most of the domain's switches, a drained node only
   * where no other does; null where no other node takes part, or none reaches any of the switches
   * that are there.
   */
  static @Nullable String reaching(
      DomainConfig domain, Preference preference, Membership membership, Connections connections) {
    String undrained = reaching(domain, preference, membership, connections, false);
    return undrained != null
        ? undrained
        : reaching(domain, preference, membership, connections, true);
  }

  private static @Nullable String reaching(
      DomainConfig domain,
      Preference preference,
      Membership membership,
      Connections connections,
      boolean drained) {
    Set<Long> switches = knownSwitches(domain, connections);
    String best = null;
    long most = switches.isEmpty() ? -1 : 0;
    for (String node : preference.order(domain)) {
      if (!membership.isSelf(node)
          && preference.isDrained(node) == drained
          && membership.availableSessionOf(node) != 0) {
        long reached = switches.stream().filter(dpid -> connections.connected(node, dpid)).count();
        if (reached > most) {
          best = node;
          most = reached;
        }
      }
    }
    return best;
  }

  private void review(DomainConfig domain, Fence own) {
    Ready wanted = wanted(domain);
    if (wanted != null) {
      ready.remove(domain.name());
      handOver.begin(own, wanted.node(), wanted.sessionId());
      return;
    }
    Ready candidate = candidate(domain);
    Ready before = ready.get(domain.name());
    if (candidate == null) {
      ready.remove(domain.name());
      return;
    }
    if (before == null
        || !before.node().equals(candidate.node())
        || before.sessionId() != candidate.sessionId()) {
      ready.put(domain.name(), candidate);
      before = candidate;
    }
    long readyNanos = nanoClock.getAsLong() - before.sinceNanos();
    if (readyNanos >= TimeUnit.MILLISECONDS.toNanos(config.handBackDelayMillis())) {
      ready.remove(domain.name());
      handOver.begin(own, before.node(), before.sessionId());
    }
  }

  /** The node that gets the domain at once, since an operator wants that; null where none does. */
  private @Nullable Ready wanted(DomainConfig domain) {
    String node = null;
    Move move = preference.move(domain.name());
    if (move != null && reachesAll(move.node(), domain)) {
      node = move.node();
    } else if (preference.isDrained(config.nodeId())) {
      node = reaching(domain, preference, membership, connections, false);
    }
    long session = node == null ? 0 : membership.availableSessionOf(node);
    return node == null || session == 0 || membership.isSelf(node)
        ? null
        : new Ready(node, session, nanoClock.getAsLong());
  }

  /** The best choice before this node that reaches all switches of the domain now, or null. */
  private @Nullable Ready candidate(DomainConfig domain) {
    List<String> order = preference.order(domain);
    for (String node : order.subList(0, order.indexOf(config.nodeId()))) {
      if (preference.isDrained(node)) {
        break; // this one is drained, too: nothing is gained
      }
      long session = membership.availableSessionOf(node);
      if (session != 0 && reachesAll(node, domain)) {
        return new Ready(node, session, nanoClock.getAsLong());
      }
    }
    return null;
  }

  /** Whether a node reaches all the domain's switches that some living node is connected to. */
  private boolean reachesAll(String node, DomainConfig domain) {
    for (ConnectionTable.Key key : connections.view().entries().keySet()) {
      if (!connections.connected(node, key.dpid())
          && domain.contains(key.dpid())
          && connections.connected(key.node(), key.dpid())) {
        return false;
      }
    }
    return true;
  }

  /** The domain's switches that some living node is connected to. */
  private static Set<Long> knownSwitches(DomainConfig domain, Connections connections) {
    Set<Long> switches = new TreeSet<>();
    for (ConnectionTable.Key key : connections.view().entries().keySet()) {
      if (domain.contains(key.dpid()) && connections.connected(key.node(), key.dpid())) {
        switches.add(key.dpid());
      }
    }
    return switches;
  }
}
