package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Domains;
import io.lockstep.core.cluster.Membership;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.TableView;
import io.lockstep.store.typed.Codec;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.TableDef;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The next master's part in a hand-over ({@link HandOver} is the present one's): it listens to the
 * switches of a domain that is planned for it, says so, and removes the plan when it has the roles.
 * A plan that is void is removed by whoever masters the domain. Owned by the control loop.
 */
final class TakeOvers {
  private static final DomainLog log = DomainLog.of(TakeOvers.class);

  /** How long a switch may take to make this node a listener, before it does without. */
  static final long LISTEN_MILLIS = 500;

  /** How long a switch may take to make this node its master, before its packets are dropped. */
  static final long ROLE_MILLIS = 3_000;

  private static final long LOOK_MILLIS = 20;
  private static final HandOverTable TABLE = new HandOverTable();
  private static final TableDef<String, HandOverPlan> PLANS =
      TableDef.of(
          HandOverTable.NAME,
          Codec.of(TABLE::encodeKey, TABLE::decodeKey),
          Codec.of(TABLE::encodeValue, TABLE::decodeValue));

  private final Domains domains;
  private final Store store;
  private final ControlLoop loop;
  private final Membership membership;
  private final Ownership ownership;
  private final TableView<String, HandOverPlan> plans;
  private final LongSupplier nanoClock;
  private final Switches switches;
  private final Predicate<String> handsOver;

  /** Since when something is waited for, and for which plan. */
  private final Map<String, Waiting> waiting = new HashMap<>();

  private final Set<String> inFlight = new HashSet<>();
  private boolean lookDue;

  /** What is asked and done about the switches of a domain. */
  interface Switches {
    /** Whether all connected ones granted this role, or will not. */
    boolean haveRole(String domain, SwitchRole role);

    /** What is wanted of the roles changed. */
    void review(String domain);
  }

  private record Waiting(long epoch, boolean master, long sinceNanos) {}

  /**
   * @param handsOver whether this node hands a domain over itself
   */
  TakeOvers(
      Domains domains,
      Store store,
      ControlLoop loop,
      Membership membership,
      Ownership ownership,
      TableView<String, HandOverPlan> plans,
      LongSupplier nanoClock,
      Switches switches,
      Predicate<String> handsOver) {
    this.domains = domains;
    this.store = store;
    this.loop = loop;
    this.membership = membership;
    this.ownership = ownership;
    this.plans = plans;
    this.nanoClock = nanoClock;
    this.switches = switches;
    this.handsOver = handsOver;
    plans.addListener(
        (domain, old, now) -> {
          switches.review(domain);
          look();
        });
  }

  /** Whether this node is to listen to the domain's switches, whose master plans to leave. */
  boolean listens(String domain) {
    HandOverPlan plan = own(domain);
    DomainRecord record = ownership.domains().known(domain);
    return plan != null && record != null && record.epoch() == plan.epoch();
  }

  /**
   * The epoch of the plan by which this node keeps packets of the domain's switches until it has
   * their roles; -1 where it keeps none.
   */
  long expected(String domain) {
    HandOverPlan plan = own(domain);
    return plan != null && (listens(domain) || ownership.ownDomain(domain) != null)
        ? plan.epoch()
        : -1;
  }

  private @Nullable HandOverPlan own(String domain) {
    HandOverPlan plan = plans.known(domain);
    return plan != null && plan.sessionId() == membership.activeSession() && !membership.retiring()
        ? plan
        : null;
  }

  /** Looks at all plans; called every now and then, and where something changed. */
  void look() {
    waiting.keySet().retainAll(plans.entries().keySet());
    for (String domain : plans.entries().keySet()) {
      TableView.Held<HandOverPlan> held = plans.held(domain);
      if (held != null && domains.named(domain) != null && !inFlight.contains(domain)) {
        look(domain, held);
      }
    }
  }

  private void look(String domain, TableView.Held<HandOverPlan> held) {
    HandOverPlan plan = held.value();
    Fence own = ownership.ownDomain(domain);
    if (listens(domain)) {
      if (!plan.listening() && done(domain, plan.epoch(), SwitchRole.EQUAL, LISTEN_MILLIS)) {
        write(domain, store.table(PLANS).replace(domain, held.version(), plan.heard()));
      }
    } else if (own != null
        && !(plan.epoch() == own.epoch() && handsOver.test(domain))
        && (own(domain) == null || done(domain, plan.epoch(), SwitchRole.MASTER, ROLE_MILLIS))) {
      if (own(domain) != null) {
        log.info(
            domain,
            own.epoch(),
            "{}: has the switches of domain {} in epoch {}",
            plan.node(),
            domain,
            own.epoch());
      }
      Write remove = new Write.Remove(HandOverTable.NAME, TABLE.encodeKey(domain));
      write(
          domain, store.call(FencedWrite.COMPONENT, new FencedWrite.Request(own, List.of(remove))));
    }
  }

  /** Whether all switches granted a role, or took too long; looks again soon where not. */
  private boolean done(String domain, long epoch, SwitchRole role, long millis) {
    boolean master = role == SwitchRole.MASTER;
    long now = nanoClock.getAsLong();
    Waiting before = waiting.get(domain);
    if (before == null || before.epoch() != epoch || before.master() != master) {
      before = new Waiting(epoch, master, now);
      waiting.put(domain, before);
    }
    if (switches.haveRole(domain, role)
        || now - before.sinceNanos() >= TimeUnit.MILLISECONDS.toNanos(millis)) {
      return true;
    }
    if (!lookDue) {
      lookDue = true;
      loop.schedule(
          LOOK_MILLIS,
          () -> {
            lookDue = false;
            look();
          });
    }
    return false;
  }

  /** Where it does not take effect, the next look tries again. */
  private void write(String domain, CompletableFuture<?> reply) {
    inFlight.add(domain);
    after(reply, loop, done -> inFlight.remove(domain));
  }
}
