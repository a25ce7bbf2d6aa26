package io.lockstep.core.mastership;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import io.lockstep.store.StoreClient;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands single switches that this node, their domain's master, cannot reach to a node that can, and
 * takes them back when it reaches them again for a while. Owned by the control loop.
 */
final class Delegations {
  private static final Logger log = LoggerFactory.getLogger(Delegations.class);

  /** How long a switch is out of reach before it is handed over: it may just reconnect. */
  static final long UNREACHABLE_MILLIS = 1_000;

  /** How long a switch is in reach again before it is taken back. */
  static final long REACHABLE_MILLIS = 3_000;

  private final NodeConfig config;
  private final StoreClient store;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;

  /** Since when a switch is out of reach (or, while it is delegated, in reach) of this node. */
  private final Map<Long, Long> sinceNanos = new HashMap<>();

  private final Set<Long> inFlight = new HashSet<>();

  Delegations(
      NodeConfig config,
      StoreClient store,
      ControlLoop loop,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock) {
    this.config = config;
    this.store = store;
    this.loop = loop;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.nanoClock = nanoClock;
  }

  /** Looks at all switches of this node's domains; called every now and then. */
  void tick() {
    Set<Long> known = new TreeSet<>(ownership.delegations().entries().keySet());
    connections.view().entries().keySet().forEach(key -> known.add(key.dpid()));
    sinceNanos.keySet().retainAll(known);
    for (long dpid : known) {
      DomainConfig domain = config.domainOf(dpid);
      Fence own = domain == null ? null : ownership.ownDomain(domain.name());
      if (domain == null || own == null) {
        sinceNanos.remove(dpid);
      } else if (!inFlight.contains(dpid)) {
        review(dpid, domain, own);
      }
    }
  }

  private void review(long dpid, DomainConfig domain, Fence own) {
    boolean inReach = connections.connected(config.nodeId(), dpid);
    DelegationRecord delegation = ownership.delegations().get(dpid);
    if (delegation == null) {
      if (inReach) {
        sinceNanos.remove(dpid);
      } else if (lastsFor(dpid, UNREACHABLE_MILLIS)) {
        handOver(dpid, domain, own);
      }
      return;
    }
    boolean works =
        membership.sessionOpen(delegation.sessionId())
            && connections.connected(delegation.node(), dpid);
    if (!works && inReach) {
      submit(dpid, DelegateSwitch.recall(own, dpid), "is taken back by " + config.nodeId());
    } else if (!works) {
      handOver(dpid, domain, own);
    } else if (!inReach) {
      sinceNanos.remove(dpid);
    } else if (lastsFor(dpid, REACHABLE_MILLIS)) {
      submit(dpid, DelegateSwitch.recall(own, dpid), "is taken back by " + config.nodeId());
    }
  }

  private boolean lastsFor(long dpid, long millis) {
    long now = nanoClock.getAsLong();
    Long since = sinceNanos.putIfAbsent(dpid, now);
    return since != null && now - since >= TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void handOver(long dpid, DomainConfig domain, Fence own) {
    List<String> reaching = connections.nodesOf(dpid);
    for (String node : config.preference(domain)) {
      long session = membership.sessionOf(node);
      if (!node.equals(config.nodeId()) && reaching.contains(node) && session != 0) {
        submit(
            dpid,
            DelegateSwitch.delegate(own, dpid, node, session),
            "is out of reach of " + config.nodeId() + " and handed to " + node);
        return;
      }
    }
  }

  private void submit(long dpid, Command command, String what) {
    log.info("switch {} {}", SwitchScope.name(dpid), what);
    sinceNanos.remove(dpid);
    inFlight.add(dpid);
    store
        .submit(command)
        .thenAccept(
            reply ->
                loop.execute(
                    () -> {
                      inFlight.remove(dpid);
                      if (!(reply instanceof Reply.Returned)) {
                        // The next tick sees how things are and tries again.
                        log.warn("switch {} {}: {}", SwitchScope.name(dpid), what, reply);
                      }
                    }));
  }
}
