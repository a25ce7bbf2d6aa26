package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.mastership.AssignSwitches.Assignment;
import io.lockstep.core.mastership.DelegateSwitch.Change;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.logging.BoundedLog;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands switches that this node, their domain's master, cannot reach to nodes that can, and takes
 * them back when it reaches them again for a while. One call of {@link AssignSwitches} carries all
 * that is due for a domain; the next waits until this node sees what the last one did. Owned by the
 * control loop.
 */
final class Delegations {
  private static final BoundedLog log = BoundedLog.of(Delegations.class);

  /**
   * How long a switch is out of reach before it is handed over: it may just reconnect. Longer while
   * switches are still connecting to this node ({@link ConnectBurst}).
   */
  static final long UNREACHABLE_MILLIS = 1_000;

  /** How long it is out of reach before it is handed over even then. */
  static final long LATE_MILLIS = 10_000;

  /** How long a switch is in reach again before it is taken back. */
  static final long REACHABLE_MILLIS = 3_000;

  /** Switches that a log line names; it counts the others. */
  private static final int NAMED = 4;

  private final String self;
  private final Domains domains;
  private final Preference preference;
  private final Store store;
  private final NodeState state;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;
  private final ConnectBurst burst;

  /** Since when a switch is out of reach (or, while it is delegated, in reach) of this node. */
  private final Map<Long, Long> sinceNanos = new HashMap<>();

  /** Domains with a call on its way. */
  private final Set<String> inFlight = new HashSet<>();

  Delegations(
      String self,
      Preference preference,
      Store store,
      NodeState state,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock) {
    this.self = self;
    this.domains = preference.domains();
    this.preference = preference;
    this.store = store;
    this.state = state;
    this.loop = state.loop();
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.nanoClock = nanoClock;
    this.burst = new ConnectBurst(nanoClock);
  }

  /** The node takes part from now on. */
  void begin() {
    burst.started();
  }

  /** A switch connected to this node. */
  void connected(long dpid) {
    burst.connected(dpid);
  }

  /** Looks at all switches of this node's domains; called every now and then. */
  void tick() {
    if (domains.inForce().stream().allMatch(domain -> ownership.ownDomain(domain.name()) == null)) {
      sinceNanos.clear();
      return;
    }
    Set<Long> known = new TreeSet<>(ownership.delegations().entries().keySet());
    connections.view().entries().keySet().forEach(key -> known.add(key.dpid()));
    sinceNanos.keySet().retainAll(known);
    Map<Fence, List<Assignment>> due = new LinkedHashMap<>();
    for (long dpid : known) {
      DomainConfig domain = domains.domainOf(dpid);
      Fence own = domain == null ? null : ownership.ownDomain(domain.name());
      if (domain == null || own == null) {
        sinceNanos.remove(dpid);
      } else if (!inFlight.contains(domain.name())) {
        Assignment wanted = review(dpid, domain, own);
        if (wanted != null) {
          due.computeIfAbsent(own, fence -> new ArrayList<>()).add(wanted);
        }
      }
    }
    due.forEach(this::submit);
  }

  /** What has to change for a switch, or null. */
  private @Nullable Assignment review(long dpid, DomainConfig domain, Fence own) {
    boolean inReach = connections.own(dpid);
    DelegationRecord record = ownership.delegations().known(dpid);
    if (record == null) {
      return reviewOwn(dpid, domain, inReach);
    }
    boolean passed = record.epoch() < own.epoch();
    if (record.sessionId() == membership.activeSession()) {
      return passed ? Assignment.toDomain(dpid) : reviewOwn(dpid, domain, inReach);
    }
    boolean lives = membership.sessionOpen(record.sessionId());
    if (lives && connections.connected(record.node(), dpid)) {
      return preference.isDrained(record.node())
          ? reviewAtDrained(dpid, domain, record, inReach)
          : reviewDelegated(dpid, inReach);
    }
    Assignment next = inReach ? null : toReachingNode(dpid, domain);
    if (next != null) {
      return next;
    }
    if (!lives) {
      // Where no node reaches it, it is its domain's master that marks it offline.
      return passed ? Assignment.toDomain(dpid) : toSelf(dpid);
    }
    return inReach ? toSelf(dpid) : null;
  }

  private @Nullable Assignment reviewOwn(long dpid, DomainConfig domain, boolean inReach) {
    if (inReach) {
      sinceNanos.remove(dpid);
      return null;
    }
    return isOutOfReach(dpid) ? toReachingNode(dpid, domain) : null;
  }

  private @Nullable Assignment reviewDelegated(long dpid, boolean inReach) {
    if (!inReach) {
      sinceNanos.remove(dpid);
      return null;
    }
    return millisSince(dpid) >= REACHABLE_MILLIS ? toSelf(dpid) : null;
  }

  /** Stays with a drained node only while no other reaches it. */
  private @Nullable Assignment reviewAtDrained(
      long dpid, DomainConfig domain, DelegationRecord record, boolean inReach) {
    Assignment next = inReach ? toSelf(dpid) : toReachingNode(dpid, domain);
    return next == null || next.node().equals(record.node()) ? null : next;
  }

  private boolean isOutOfReach(long dpid) {
    long millis = millisSince(dpid);
    return millis >= LATE_MILLIS || (millis >= UNREACHABLE_MILLIS && burst.atRest());
  }

  /** For how long the switch is seen as it is now. */
  private long millisSince(long dpid) {
    long now = nanoClock.getAsLong();
    Long since = sinceNanos.putIfAbsent(dpid, now);
    return since == null ? 0 : TimeUnit.NANOSECONDS.toMillis(now - since);
  }

  private Assignment toSelf(long dpid) {
    return new Assignment(dpid, self, membership.activeSession());
  }

  private @Nullable Assignment toReachingNode(long dpid, DomainConfig domain) {
    for (String node : preference.order(domain)) {
      long session = membership.availableSessionOf(node);
      if (!node.equals(self) && session != 0 && connections.connected(node, dpid)) {
        return new Assignment(dpid, node, session);
      }
    }
    return null;
  }

  private void submit(Fence domain, List<Assignment> due) {
    List<Assignment> now = due.subList(0, Math.min(due.size(), AssignSwitches.MAX_SWITCHES));
    inFlight.add(domain.scope());
    now.forEach(one -> sinceNanos.remove(one.dpid()));
    logAssignments(domain.scope(), now);
    after(
        store.call(AssignSwitches.COMPONENT, new AssignSwitches.Request(domain, now)),
        loop,
        outcome -> answered(domain.scope(), now.size(), outcome));
  }

  /** The next tick sees how things are, also where the outcome is unknown, and tries again. */
  private void answered(String domain, int switches, WriteOutcome<AssignSwitches.Result> outcome) {
    Consumer<String> failed =
        why -> {
          inFlight.remove(domain);
          log.warn(
              domain,
              "{}: {} switches of domain {} are not assigned yet: {}",
              self,
              switches,
              domain,
              why);
        };
    outcome.handle(
        result ->
            result.ifDone(
                done -> state.whenVisible(done.index(), () -> assigned(domain, switches, done)),
                failed),
        failed);
  }

  private void assigned(String domain, int switches, AssignSwitches.Result result) {
    inFlight.remove(domain);
    if (result.refused() > 0) {
      log.info(
          domain,
          "{}: {} of {} switches of domain {} stay as they were: their new node has ended",
          self,
          result.refused(),
          switches,
          domain);
    }
    if (switches == AssignSwitches.MAX_SWITCHES) {
      tick();
    }
  }

  /** One line for each node that gets switches. */
  private void logAssignments(String domain, List<Assignment> switches) {
    Map<String, List<String>> byNode = new TreeMap<>();
    for (Assignment one : switches) {
      byNode
          .computeIfAbsent(one.node(), node -> new ArrayList<>())
          .add(SwitchScope.name(one.dpid()));
    }
    // The domain has those without a node again, which changes nothing but the epoch.
    byNode.remove("");
    byNode.forEach(
        (node, names) ->
            log.info(
                domain + " " + node,
                "{}: {} {} of domain {} {}: {}{}",
                self,
                names.size(),
                names.size() == 1 ? "switch" : "switches",
                domain,
                node.equals(self) ? "taken back" : "out of reach, handed to " + node,
                String.join(", ", names.subList(0, Math.min(NAMED, names.size()))),
                names.size() > NAMED ? " and " + (names.size() - NAMED) + " more" : ""));
  }

  /**
   * Raises the epoch of a switch that has its own and that this node masters. Where that fails, the
   * switch is asked for its role again after a while, and answers again that the epoch is too low.
   */
  void raise(Fence delegation, long minimumEpoch) {
    after(
        store.call(DelegateSwitch.COMPONENT, Change.raise(delegation, minimumEpoch)),
        loop,
        outcome -> {
          Consumer<String> failed =
              why ->
                  log.warn(
                      delegation.scope(),
                      "switch {}: its epoch was not raised to {} yet: {}",
                      delegation.scope(),
                      minimumEpoch,
                      why);
          outcome.handle(result -> result.ifDone(done -> {}, failed), failed);
        });
  }
}
