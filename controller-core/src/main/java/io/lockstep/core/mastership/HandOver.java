package io.lockstep.core.mastership;

import static io.lockstep.core.state.Continuations.after;

import io.lockstep.core.cluster.Membership;
import io.lockstep.core.mastership.FencedWrite.Write;
import io.lockstep.core.mastership.HandOverDomain.Transfer;
import io.lockstep.core.state.ControlLoop;
import io.lockstep.core.state.TableView;
import io.lockstep.store.typed.Store;
import io.lockstep.store.typed.WriteOutcome;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Hands a domain over so that no packet of its switches stays without a master
 * (docs/adr/0027-hand-over-without-loss.md): writes a plan, goes on until the next master listens,
 * finishes what it began, stands down, and names the next master in the store. A step that does not
 * end in time costs packets, never the hand-over. Owned by the control loop.
 */
final class HandOver {
  private static final DomainLog log = DomainLog.of(HandOver.class);

  /** How long the next master may take until it listens. This node goes on meanwhile. */
  static final long LISTENING_MILLIS = 1_000;

  /** How long this node may take for what it began; packets wait meanwhile. */
  static final long FINISH_MILLIS = 500;

  private static final long RETRY_MILLIS = 200;
  private static final HandOverTable PLANS = new HandOverTable();

  private final String self;
  private final Store store;
  private final ControlLoop loop;
  private final Membership membership;
  private final Ownership ownership;
  private final Switches switches;
  private final LongSupplier nanoClock;
  private final MastershipCounters counters;
  private final Map<String, Attempt> running = new HashMap<>();

  /** Domains on their way to another node, and the epoch in which this node gave them away. */
  private final Map<String, Long> leaving = new HashMap<>();

  /** What is done with the switches of a domain. */
  interface Switches {
    /** The domain is being handed over or is no longer; the roles are to be reviewed. */
    void review(String domain);

    /**
     * Takes no new work from them; completes when what was begun is done.
     *
     * @param epoch in which this node masters the domain
     */
    CompletableFuture<?> finish(String domain, long epoch);

    /**
     * Stops to act on them; completes when all that was sent is carried out, or known not to be.
     */
    CompletableFuture<?> standDown(String domain);
  }

  private enum Step {
    WAITING,
    FINISHING,
    LEAVING
  }

  /** One hand-over. Compared by identity. */
  private static final class Attempt {
    final Fence own;
    final String node;
    final long sessionId;
    final long beganNanos;
    Step step = Step.WAITING;

    Attempt(Fence own, String node, long sessionId, long beganNanos) {
      this.own = own;
      this.node = node;
      this.sessionId = sessionId;
      this.beganNanos = beganNanos;
    }
  }

  HandOver(
      String self,
      Store store,
      ControlLoop loop,
      Membership membership,
      Ownership ownership,
      TableView<String, HandOverPlan> plans,
      Switches switches,
      LongSupplier nanoClock,
      MastershipCounters counters) {
    this.self = self;
    this.store = store;
    this.loop = loop;
    this.membership = membership;
    this.ownership = ownership;
    this.switches = switches;
    this.nanoClock = nanoClock;
    this.counters = counters;
    plans.addListener((domain, old, now) -> planChanged(domain, now));
  }

  /** Whether this node is giving the domain away and must not act on it any longer. */
  boolean isLeaving(Fence domain) {
    Long epoch = leaving.get(domain.scope());
    return epoch != null && epoch == domain.epoch();
  }

  /** Whether a hand-over of the domain has begun and did not end. */
  boolean isRunning(String domain) {
    return running.containsKey(domain);
  }

  /** Whether any hand-over has begun and did not end. */
  boolean isRunning() {
    return !running.isEmpty();
  }

  /** Forgets domains that are no longer, and next masters that are no longer. */
  void tick(Set<String> domains) {
    leaving.keySet().retainAll(domains);
    for (Attempt attempt : List.copyOf(running.values())) {
      boolean gone =
          !attempt.own.equals(ownership.ownDomain(attempt.own.scope()))
              || membership.availableSessionOf(attempt.node) != attempt.sessionId;
      if (attempt.step == Step.WAITING && gone) {
        logNotDone(attempt, attempt.node + " or the epoch is gone");
        running.remove(attempt.own.scope(), attempt);
        counters.gaveUp();
      }
    }
  }

  /** Begins to hand a domain over; no effect where that has begun already. */
  void begin(Fence own, String node, long sessionId) {
    if (isRunning(own.scope()) || isLeaving(own)) {
      return;
    }
    log.info(
        own.scope(),
        own.epoch(),
        "{}: hands domain {} over to {} (epoch {} ends)",
        self,
        own.scope(),
        node,
        own.epoch());
    Attempt attempt = new Attempt(own, node, sessionId, nanoClock.getAsLong());
    running.put(own.scope(), attempt);
    Write plan =
        new Write.Put(
            HandOverTable.NAME,
            PLANS.encodeKey(own.scope()),
            PLANS.encodeValue(new HandOverPlan(own.epoch(), node, sessionId, false)));
    after(
        store.call(FencedWrite.COMPONENT, new FencedWrite.Request(own, List.of(plan))),
        loop,
        outcome -> planned(attempt, outcome));
  }

  private boolean isCurrent(Attempt attempt, Step step) {
    return running.get(attempt.own.scope()) == attempt && attempt.step == step;
  }

  private void planned(Attempt attempt, WriteOutcome<Long> outcome) {
    if (!isCurrent(attempt, Step.WAITING)) {
      return;
    }
    Consumer<String> failed =
        why -> {
          logNotDone(attempt, why);
          running.remove(attempt.own.scope(), attempt);
          counters.gaveUp();
        };
    outcome.handle(
        result ->
            result.ifDone(index -> loop.schedule(LISTENING_MILLIS, () -> finish(attempt)), failed),
        failed);
  }

  private void planChanged(String domain, @Nullable HandOverPlan now) {
    Attempt attempt = running.get(domain);
    if (attempt != null
        && now != null
        && now.listening()
        && now.epoch() == attempt.own.epoch()
        && now.sessionId() == attempt.sessionId) {
      finish(attempt);
    }
  }

  private void finish(Attempt attempt) {
    if (!isCurrent(attempt, Step.WAITING)) {
      return;
    }
    attempt.step = Step.FINISHING;
    loop.schedule(FINISH_MILLIS, () -> leave(attempt));
    after(switches.finish(attempt.own.scope(), attempt.own.epoch()), loop, done -> leave(attempt));
  }

  private void leave(Attempt attempt) {
    if (!isCurrent(attempt, Step.FINISHING)) {
      return;
    }
    attempt.step = Step.LEAVING;
    String domain = attempt.own.scope();
    leaving.put(domain, attempt.own.epoch());
    switches.review(domain);
    // The next master begins when the store names it; switches without roles have no other fence.
    after(switches.standDown(domain), loop, done -> transfer(attempt));
  }

  private void transfer(Attempt attempt) {
    Transfer transfer = Transfer.to(attempt.own, attempt.node, attempt.sessionId);
    // Done: the domain's record shows it soon; until then isLeaving() keeps this node still.
    after(
        store.call(HandOverDomain.COMPONENT, transfer),
        loop,
        outcome ->
            outcome.handle(
                result -> result.ifDone(record -> done(attempt), why -> refused(attempt, why)),
                why -> askAgain(attempt, why)));
  }

  private void done(Attempt attempt) {
    running.remove(attempt.own.scope(), attempt);
    counters.handedOver(nanoClock.getAsLong() - attempt.beganNanos);
  }

  private void refused(Attempt attempt, String why) {
    logNotDone(attempt, why);
    counters.gaveUp();
    String domain = attempt.own.scope();
    running.remove(domain, attempt);
    leaving.remove(domain, attempt.own.epoch());
    switches.review(domain);
  }

  /** It may have happened; asked again, it is refused if it did. */
  private void askAgain(Attempt attempt, String why) {
    logNotDone(attempt, why);
    loop.schedule(RETRY_MILLIS, () -> transfer(attempt));
  }

  private void logNotDone(Attempt attempt, String why) {
    log.warn(
        attempt.own.scope(),
        attempt.own.epoch(),
        "{}: domain {} was not handed over to {} yet: {}",
        self,
        attempt.own.scope(),
        attempt.node,
        why);
  }
}
