package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.ConnectionTable;
import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.cluster.NodeConfig;
import io.lockstep.core.mastership.HandOverDomain.Transfer;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
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
  private static final BoundedLog log = BoundedLog.of(HandBack.class);
  private static final long RETRY_MILLIS = 200;

  private final NodeConfig config;
  private final Domains domains;
  private final Store store;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;

  private final Switches switches;

  private final Map<String, Ready> ready = new HashMap<>();

  /** Domains on their way to another node, and the epoch in which this node gave them away. */
  private final Map<String, Long> leaving = new HashMap<>();

  /** What is done with the switches of a domain. */
  interface Switches {
    /** The domain is being handed over or is no longer; the roles are to be reviewed. */
    void review(String domain);

    /**
     * Stops to act on them; completes when all that was sent is carried out, or known not to be.
     */
    CompletableFuture<?> standDown(String domain);
  }

  private record Ready(String node, long sessionId, long sinceNanos) {}

  HandBack(
      NodeConfig config,
      Domains domains,
      Store store,
      ControlLoop loop,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock,
      Switches switches) {
    this.config = config;
    this.domains = domains;
    this.store = store;
    this.loop = loop;
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.nanoClock = nanoClock;
    this.switches = switches;
  }

  /** Whether this node is giving the domain away and must not act on it any longer. */
  boolean isLeaving(Fence domain) {
    Long epoch = leaving.get(domain.scope());
    return epoch != null && epoch == domain.epoch();
  }

  /** Looks at all domains; called every now and then. */
  void tick() {
    ready.keySet().removeIf(name -> domains.named(name) == null);
    leaving.keySet().removeIf(name -> domains.named(name) == null);
    for (DomainConfig domain : domains.inForce()) {
      Fence own = ownership.ownDomain(domain.name());
      if (own == null) {
        ready.remove(domain.name());
      } else if (!isLeaving(own)) {
        review(domain, own);
      }
    }
  }

  /** Gives a domain of this node to the next choice among the living, if there is one. */
  boolean relinquish(DomainConfig domain) {
    Fence own = ownership.ownDomain(domain.name());
    if (own == null || isLeaving(own)) {
      return false;
    }
    for (String node : domains.preference(domain)) {
      long session = membership.sessionOf(node);
      if (!node.equals(config.nodeId()) && session != 0) {
        handOver(own, node, session);
        return true;
      }
    }
    return false;
  }

  private void review(DomainConfig domain, Fence own) {
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
      handOver(own, before.node(), before.sessionId());
    }
  }

  /** The best choice before this node that reaches all switches of the domain now, or null. */
  private @Nullable Ready candidate(DomainConfig domain) {
    List<String> order = domains.preference(domain);
    for (String node : order.subList(0, order.indexOf(config.nodeId()))) {
      long session = membership.sessionOf(node);
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

  private void handOver(Fence own, String node, long sessionId) {
    log.info(
        own.scope(),
        "{}: hands domain {} over to {} (epoch {} ends)",
        config.nodeId(),
        own.scope(),
        node,
        own.epoch());
    leaving.put(own.scope(), own.epoch());
    switches.review(own.scope());
    // The next master begins when the store names it; switches without roles have no other fence.
    CompletableFuture<?> still = switches.standDown(own.scope());
    if (still.isDone()) {
      submit(own, node, sessionId);
    } else {
      after(still, loop, done -> submit(own, node, sessionId));
    }
  }

  private void submit(Fence own, String node, long sessionId) {
    after(
        store.call(HandOverDomain.COMPONENT, Transfer.to(own, node, sessionId)),
        loop,
        outcome -> answered(own, node, sessionId, outcome));
  }

  private void answered(
      Fence own, String node, long sessionId, WriteOutcome<DomainRecord> outcome) {
    // Done: the domain's record shows it soon; until then isLeaving() keeps this node still.
    outcome.handle(
        result -> result.ifDone(record -> {}, why -> refused(own, node, why)),
        why -> askAgain(own, node, sessionId, why));
  }

  private void refused(Fence own, String node, String why) {
    logNotDone(own, node, why);
    leaving.remove(own.scope(), own.epoch());
    switches.review(own.scope());
  }

  /** It may have happened; asked again, it is refused if it did. */
  private void askAgain(Fence own, String node, long sessionId, String why) {
    logNotDone(own, node, why);
    loop.schedule(RETRY_MILLIS, () -> submit(own, node, sessionId));
  }

  private void logNotDone(Fence own, String node, String why) {
    log.warn(
        own.scope(),
        "{}: domain {} was not handed over to {} yet: {}",
        config.nodeId(),
        own.scope(),
        node,
        why);
  }
}
