package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.mastership.DelegateSwitch.Change;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.store.Bytes;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Hands single switches that this node, their domain's master, cannot reach to a node that can, and
 * takes them back when it reaches them again for a while. Owned by the control loop.
 */
final class Delegations {
  private static final BoundedLog log = BoundedLog.of(Delegations.class);

  /** How long a switch is out of reach before it is handed over: it may just reconnect. */
  static final long UNREACHABLE_MILLIS = 1_000;

  /** How long a switch is in reach again before it is taken back. */
  static final long REACHABLE_MILLIS = 3_000;

  private final String self;
  private final Domains domains;
  private final Store store;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;

  /** Since when a switch is out of reach (or, while it is delegated, in reach) of this node. */
  private final Map<Long, Long> sinceNanos = new HashMap<>();

  private final Set<Long> inFlight = new HashSet<>();

  Delegations(
      String self,
      Domains domains,
      Store store,
      ControlLoop loop,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock) {
    this.self = self;
    this.domains = domains;
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
      DomainConfig domain = domains.domainOf(dpid);
      Fence own = domain == null ? null : ownership.ownDomain(domain.name());
      if (domain == null || own == null) {
        sinceNanos.remove(dpid);
      } else if (!inFlight.contains(dpid)) {
        review(dpid, domain, own);
      }
    }
  }

  private void review(long dpid, DomainConfig domain, Fence own) {
    boolean inReach = connections.connected(self, dpid);
    DelegationRecord delegation = ownership.delegations().known(dpid);
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
      submit(dpid, Change.recall(own, dpid), "is taken back by " + self);
    } else if (!works) {
      handOver(dpid, domain, own);
    } else if (!inReach) {
      sinceNanos.remove(dpid);
    } else if (lastsFor(dpid, REACHABLE_MILLIS)) {
      submit(dpid, Change.recall(own, dpid), "is taken back by " + self);
    }
  }

  private boolean lastsFor(long dpid, long millis) {
    long now = nanoClock.getAsLong();
    Long since = sinceNanos.putIfAbsent(dpid, now);
    return since != null && now - since >= TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void handOver(long dpid, DomainConfig domain, Fence own) {
    List<String> reaching = connections.nodesOf(dpid);
    for (String node : domains.preference(domain)) {
      long session = membership.sessionOf(node);
      if (!node.equals(self) && reaching.contains(node) && session != 0) {
        submit(
            dpid,
            Change.delegate(own, dpid, node, session),
            "is out of reach of " + self + " and handed to " + node);
        return;
      }
    }
  }

  /**
   * Raises the epoch of a switch that was delegated to this node. Where that fails, the switch is
   * asked for its role again after a while, and answers again that the epoch is too low.
   */
  void raise(Fence delegation, long minimumEpoch) {
    after(
        store.call(DelegateSwitch.COMPONENT, Change.raise(delegation, minimumEpoch)),
        loop,
        outcome ->
            ifNotDone(
                outcome,
                why ->
                    log.warn(
                        delegation.scope(),
                        "switch {}: its epoch was not raised to {} yet: {}",
                        delegation.scope(),
                        minimumEpoch,
                        why)));
  }

  private static void ifNotDone(WriteOutcome<Bytes> outcome, Consumer<String> otherwise) {
    outcome.handle(result -> result.ifDone(done -> {}, otherwise), otherwise);
  }

  private void submit(long dpid, Change change, String what) {
    log.info(dpid, "switch {} {}", SwitchScope.name(dpid), what);
    sinceNanos.remove(dpid);
    inFlight.add(dpid);
    after(
        store.call(DelegateSwitch.COMPONENT, change),
        loop,
        outcome -> {
          inFlight.remove(dpid);
          // The next tick sees how things are, also where the outcome is unknown, and tries again.
          ifNotDone(
              outcome,
              why ->
                  log.warn(dpid, "switch {} {}: not yet: {}", SwitchScope.name(dpid), what, why));
        });
  }
}
