package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Connections;
import io.lockstep.core.cluster.DomainConfig;
import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.mastership.ClaimDomain.Claim;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.NodeState;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Claims domains without a living master. All living nodes see the same gap at about the same time;
 * the first choice among the living claims at once and the others a little later each, should it
 * not have done so. Whoever comes first gets it: the store decides. A drained node claims only
 * while no other node lives. Owned by the control loop.
 */
final class DomainClaims {
  private static final DomainLog log = DomainLog.of(DomainClaims.class);

  /** How much longer each choice waits than the one before it. */
  static final long STAGGER_MILLIS = 150;

  /** How long a node that just started gives a preferred master the time to start as well. */
  static final long START_GRACE_MILLIS = 1_500;

  private static final long RETRY_MILLIS = 100;

  private final String node;
  private final Domains domains;
  private final Preference preference;
  private final Store store;
  private final NodeState state;
  private final ControlLoop loop;
  private final Membership membership;
  private final Connections connections;
  private final Ownership ownership;
  private final LongSupplier nanoClock;
  private final MastershipCounters counters = new MastershipCounters();
  private final Set<String> inFlight = new HashSet<>();
  private final Map<String, Long> raising = new HashMap<>();
  private final Map<String, ControlLoop.Timeout> pending = new HashMap<>();

  /** Domains that had a living master at some time: their loss is no matter of starting up. */
  private final Set<String> seenMastered = new HashSet<>();

  private boolean started;
  private long graceUntilNanos;

  DomainClaims(
      String node,
      Preference preference,
      Store store,
      NodeState state,
      Membership membership,
      Connections connections,
      Ownership ownership,
      LongSupplier nanoClock) {
    this.node = node;
    this.domains = preference.domains();
    this.preference = preference;
    this.store = store;
    this.state = state;
    this.loop = state.loop();
    this.membership = membership;
    this.connections = connections;
    this.ownership = ownership;
    this.nanoClock = nanoClock;
  }

  /** Counts this and what becomes of hand-overs. Any thread. */
  MastershipCounters counters() {
    return counters;
  }

  /** The node takes part from now on. */
  void begin() {
    if (!started) {
      started = true;
      graceUntilNanos = nanoClock.getAsLong() + TimeUnit.MILLISECONDS.toNanos(START_GRACE_MILLIS);
    }
    considerAll();
  }

  void considerAll() {
    seenMastered.removeIf(name -> domains.named(name) == null);
    raising.keySet().removeIf(name -> domains.named(name) == null);
    domains.inForce().forEach(this::consider);
  }

  /** Claims the domain, now or when its turn comes, if nobody masters it. */
  void consider(DomainConfig domain) {
    String name = domain.name();
    if (ownership.master(name) != null) {
      seenMastered.add(name);
    }
    if (membership.activeSession() == 0
        || membership.retiring()
        || leavesToOthers()
        || ownership.master(name) != null) {
      ControlLoop.Timeout timeout = pending.remove(name);
      if (timeout != null) {
        timeout.cancel();
      }
      return;
    }
    if (inFlight.contains(name)) {
      return;
    }
    long delayMillis = delayMillis(domain);
    if (delayMillis <= 0) {
      claim(domain, 0);
    } else if (!pending.containsKey(name)) {
      pending.put(name, loop.schedule(delayMillis, () -> turn(name)));
    }
  }

  /**
   * Raises the epoch of a domain that this node masters; no effect where it does not, or the epoch
   * is high enough.
   */
  void raise(DomainConfig domain, long minimumEpoch) {
    long highest = Math.max(minimumEpoch, raising.getOrDefault(domain.name(), 0L));
    raising.put(domain.name(), highest);
    if (!inFlight.contains(domain.name()) && ownership.ownDomain(domain.name()) != null) {
      claim(domain, highest);
    }
  }

  /** Whether this node is drained and another lives that is not. */
  private boolean leavesToOthers() {
    return preference.isDrained(node) && preference.livesUndrained();
  }

  private void turn(String name) {
    pending.remove(name);
    DomainConfig domain = domains.named(name);
    if (domain == null
        || membership.activeSession() == 0
        || membership.retiring()
        || leavesToOthers()
        || ownership.master(name) != null
        || inFlight.contains(name)) {
      return;
    }
    if (graceNanos(domain) > 0) {
      // The timer runs on another clock than the grace.
      consider(domain);
    } else {
      claim(domain, 0);
    }
  }

  private void claim(DomainConfig domain, long minimumEpoch) {
    inFlight.add(domain.name());
    log.info(
        domain.name(),
        minimumEpoch,
        "{}: claims domain {}{}",
        node,
        domain.name(),
        minimumEpoch == 0 ? "" : " in epoch " + minimumEpoch + " or later");
    long least = Math.max(minimumEpoch, ownership.leastEpoch(domain));
    Claim claim = Claim.of(domain.name(), node, least, domains.current().version());
    after(
        store.call(ClaimDomain.COMPONENT, claim),
        loop,
        outcome -> answered(domain, minimumEpoch, outcome));
  }

  private void answered(
      DomainConfig domain, long minimumEpoch, WriteOutcome<DomainRecord> outcome) {
    inFlight.remove(domain.name());
    // A claim that took effect answers the same when it is made again.
    Consumer<String> again = why -> claimAgain(domain, minimumEpoch, why);
    boolean raises = minimumEpoch > 0;
    outcome.handle(result -> result.ifDone(now -> claimed(domain, now, raises), again), again);
  }

  private void claimed(DomainConfig domain, DomainRecord now, boolean raises) {
    state.poke();
    if (!raises && now.sessionId() == membership.activeSession()) {
      counters.claimed();
    }
    log.info(
        domain.name(),
        now.epoch(),
        "{}: domain {} is mastered by {} in epoch {}",
        node,
        domain.name(),
        now.node(),
        now.epoch());
    Long wanted = raising.get(domain.name());
    if (wanted != null
        && (wanted <= now.epoch() || now.sessionId() != membership.activeSession())) {
      raising.remove(domain.name());
    } else if (wanted != null && domains.named(domain.name()) != null) {
      claim(domain, wanted);
    }
  }

  private void claimAgain(DomainConfig domain, long minimumEpoch, String why) {
    log.warn(
        domain.name(), minimumEpoch, "{}: claim of domain {} failed: {}", node, domain.name(), why);
    loop.schedule(
        RETRY_MILLIS,
        () -> {
          DomainConfig now = domains.named(domain.name());
          if (now != null && minimumEpoch > 0) {
            raise(now, minimumEpoch);
          } else if (now != null) {
            consider(now);
          }
        });
  }

  /** How long this node leaves a domain without master to better choices. */
  private long delayMillis(DomainConfig domain) {
    DomainRecord known = ownership.domains().known(domain.name());
    List<String> candidates = new ArrayList<>(preference.order(domain));
    candidates.retainAll(membership.liveNodes().keySet());
    if (known != null) {
      // A node that reaches none of the switches comes last. At the first start all do not yet.
      candidates.sort(Comparator.comparing(choice -> reaches(choice, domain) ? 0 : 1));
    }
    long delayMillis = Math.max(0, candidates.indexOf(node)) * STAGGER_MILLIS;
    long graceNanos = graceNanos(domain);
    return graceNanos > 0
        ? delayMillis + TimeUnit.NANOSECONDS.toMillis(graceNanos) + 1
        : delayMillis;
  }

  /** How long the first choice may still take to start; 0 or less where nothing waits for it. */
  private long graceNanos(DomainConfig domain) {
    String first = preference.order(domain).get(0);
    return membership.liveNodes().containsKey(first) || seenMastered.contains(domain.name())
        ? 0
        : graceUntilNanos - nanoClock.getAsLong();
  }

  private boolean reaches(String choice, DomainConfig domain) {
    return connections.view().entries().entrySet().stream()
        .anyMatch(
            entry ->
                entry.getKey().node().equals(choice)
                    && domain.contains(entry.getKey().dpid())
                    && connections.connected(choice, entry.getKey().dpid()));
  }
}
