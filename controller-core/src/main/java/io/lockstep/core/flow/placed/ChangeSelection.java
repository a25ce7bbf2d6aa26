package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.WeightedRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at one rule of the queue after the other, until it finds work for the switch. Collects new
 * rules into a batch as long as the next rule of the queue need not wait for them. Control loop
 * only.
 */
final class ChangeSelection {
  /** Rules in one batch. */
  static final int MAX_BATCH = 256;

  /** Rules that one call looks at, so that other tasks of the control loop run in between. */
  static final int MAX_LOOKS = 256;

  private final ChangeQueue queue;
  private final SwitchPlacement placement;
  private final RuleTraffic traffic;
  private final TrafficAdmission admission;
  private final RemovalPlanner removals;
  private int batchLimit = MAX_BATCH;
  private boolean retryScheduled;

  /**
   * What the looks found.
   *
   * @param asRequested rules that the switch has as they are requested
   * @param absent rules that no one requests and that the switch does not have
   * @param refused rules that the placer refuses to add or to change
   * @param work what the switch needs next
   */
  record Selected(
      List<RuleKey> asRequested,
      List<RuleKey> absent,
      Map<RuleKey, Refusal> refused,
      NextWork work) {}

  ChangeSelection(
      ChangeQueue queue,
      SwitchPlacement placement,
      RuleTraffic traffic,
      TrafficAdmission admission) {
    this.queue = queue;
    this.placement = placement;
    this.traffic = traffic;
    this.admission = admission;
    this.removals = new RemovalPlanner(placement);
  }

  /** Requests a rule, and queues it. */
  void request(LogicalRule rule) {
    placement.request(rule);
    queue.put(rule.key());
  }

  /**
   * Requests the rules of one decision. Guards, for which the others wait, are queued before them.
   *
   * @return new rules that end, since there is no room for one more group
   */
  List<RuleKey> requestTogether(List<LogicalRule> rules, long nowMillis) {
    admission.requested(rules, nowMillis);
    List<LogicalRule> entries = rules.stream().filter(rule -> !rule.onlyPunts()).toList();
    for (LogicalRule rule : rules) {
      if (rule.onlyPunts()) {
        placement.request(rule);
        queue.putFirst(rule.key());
      }
    }
    entries.forEach(this::request);
    return entries.isEmpty() || placement.group(rules)
        ? List.of()
        : entries.stream().map(LogicalRule::key).filter(placement::isNew).toList();
  }

  /** Withdraws the request for a rule, and queues its removal. */
  void withdraw(RuleKey key) {
    placement.withdraw(key);
    admission.withdrawn(key);
    queue.remove(key);
  }

  /** After a rejection rules go singly; each batch without one doubles the next. */
  void batchEnded(boolean allInstalled) {
    batchLimit = allInstalled ? Math.min(MAX_BATCH, 2 * batchLimit) : 1;
  }

  /** Queues rules. */
  void lookAt(List<RuleKey> keys) {
    keys.forEach(queue::put);
  }

  /** Retries rules that were rejected; the next rule goes singly. */
  void retry(List<RuleKey> rejected) {
    batchLimit = 1;
    placement.placer().forgetRefusals();
    lookAt(rejected);
  }

  /** The plan that removes a rule, to make room for another; null where there is none. */
  @Nullable Plan eviction(RuleKey victim) {
    return removals.planOf(victim);
  }

  /** The plan that removes entries prepared for a change which is not made; null where none is. */
  @Nullable Plan tidying() {
    return placement.placer().plan(new Change.Tidy()) instanceof Plan plan
            && !plan.steps().isEmpty()
        ? plan
        : null;
  }

  /**
   * The switch rejected steps of a change, so that there is no plan for it any more. A removal is
   * looked at again at once: another rule may make room for it. Where the switch refuses the
   * removal itself, it waits for the periodic retry.
   */
  void rejected(RuleKey key, Change change, Refusal refusal) {
    if (change instanceof Change.Remove
        && placement.requested(key) == null
        && refusal.reason() != Refusal.Reason.REFUSED_BY_SWITCH) {
      queue.remove(key);
    }
  }

  /**
   * Whether a retry of the removals that have no plan is to be scheduled: one retries all of them.
   */
  boolean schedulesRetry() {
    boolean first = !retryScheduled;
    retryScheduled = true;
    return first;
  }

  /**
   * Retries the removals that had no plan: what the switch rejected before may have barred them.
   */
  void retryRemovals() {
    retryScheduled = false;
    placement.placer().forgetRefusals();
    queue.bringBack();
  }

  /**
   * The switch has lost a rule. Queues it where it is requested.
   *
   * @return whether no one requests it
   */
  boolean removed(RuleKey key) {
    if (placement.requested(key) != null) {
      queue.put(key);
      return false;
    }
    traffic.forget(key);
    removals.removed(key);
    return true;
  }

  /** Queues what differs between the requests and a switch that was just read. */
  void queueAll() {
    for (PlacedRow row : placement.ledger().rows()) {
      if (placement.requested(row.key()) == null) {
        queue.remove(row.key());
      } else if (placement.homeless(row.key())) {
        queue.replace(row.key());
      }
    }
    placement.allRequested().keySet().forEach(queue::put);
  }

  /** Takes rules out of the queue until there is work for the switch. */
  Selected select(long nowMillis) {
    Looks looks = new Looks(nowMillis);
    for (int i = 0; i < MAX_LOOKS && !looks.over && !queue.isEmpty(); i++) {
      looks.at(queue.next());
    }
    return looks.result();
  }

  /** The looks of one call. */
  private final class Looks {
    private final long nowMillis;
    private final BatchRun batch = new BatchRun(placement);
    private final List<RuleKey> asRequested = new ArrayList<>();
    private final List<RuleKey> absent = new ArrayList<>();
    private final Map<RuleKey, Refusal> refused = new LinkedHashMap<>();
    private @Nullable NextWork work;

    /** Why the switch cannot get groups as a whole; each is planned once. */
    private final Map<RuleGroups.Group, Optional<Refusal>> plannedGroups = new HashMap<>();

    /** Whether the next rule has to wait for the work that was found. */
    private boolean over;

    Looks(long nowMillis) {
      this.nowMillis = nowMillis;
    }

    Selected result() {
      NextWork found = work;
      if (found == null) {
        found = batch.size() > 0 ? new NextWork.AddBatch(batch) : new NextWork.Nothing();
      }
      return new Selected(asRequested, absent, refused, found);
    }

    /** Looks at a rule, or at a guard that the switch must have before. */
    void at(ChangeQueue.Entry entry) {
      RuleKey guard = placement.groups().missingGuard(entry.key());
      if (guard == null || entry.replaces() || placement.requested(guard) == null) {
        look(entry);
      } else {
        queue.again(entry);
        if (batch.size() > 0 || refused.containsKey(guard)) {
          over = true;
        } else {
          look(new ChangeQueue.Entry(guard, false));
        }
      }
    }

    private void look(ChangeQueue.Entry entry) {
      RuleKey key = entry.key();
      PlacedRow row = placement.ledger().row(key);
      LogicalRule rule = placement.requested(key);
      boolean removes = rule == null || entry.replaces();
      if (batch.overlaps(key) || (batch.size() > 0 && (removes || row != null))) {
        queue.again(entry);
        over = true;
      } else if (removes && row != null) {
        remove(entry);
      } else if (rule == null) {
        absent.add(key);
      } else if (row == null) {
        add(rule);
      } else if (!row.treatment().equals(rule.treatment())) {
        planned(unless(rule, new Change.Treat(key, rule.treatment())), key);
      } else {
        placement.ledger().put(row.changedTo(rule));
        asRequested.add(key);
      }
    }

    private void found(NextWork one) {
      work = one;
      over = true;
    }

    private void remove(ChangeQueue.Entry entry) {
      RuleKey key = entry.key();
      NextWork removal = removals.plan(key);
      if (removal instanceof NextWork.Evict) {
        queue.replace(key);
      } else if (removal instanceof NextWork.Prepare) {
        if (entry.replaces()) {
          queue.replace(key);
        } else {
          queue.remove(key);
        }
      } else if (removal instanceof NextWork.RetryRemovals) {
        queue.removeLater(key);
      }
      found(removal);
    }

    private void add(LogicalRule rule) {
      RuleKey key = rule.key();
      WeightedRule wanted = weighted(rule);
      double weight = wanted.weight();
      Refusal notAll = whyNotTogether(key);
      Outcome outcome = notAll != null ? notAll : unless(rule, new Change.Add(wanted));
      if (outcome instanceof Plan plan && BatchRun.takes(plan)) {
        batch.add(plan, PlacedRow.of(rule, true, weight, nowMillis), nowMillis);
        over = batch.size() >= batchLimit;
      } else if (batch.size() > 0) {
        queue.put(key);
        over = true;
      } else if (!(outcome instanceof Refusal refusal) || !displaces(rule, refusal)) {
        planned(outcome, key);
      }
    }

    /** Whether others leave for a rule; then it is the next one of the queue. */
    private boolean displaces(LogicalRule rule, Refusal refusal) {
      List<WeightedRule> wanted = List.of(weighted(rule));
      for (RuleGroups.Group group : placement.groups().of(rule.key())) {
        List<WeightedRule> all = missing(group);
        wanted = all.size() > wanted.size() ? all : wanted;
      }
      Map<RuleKey, Refusal> leaving = admission.displacedBy(wanted, refusal, nowMillis);
      if (leaving.isEmpty()) {
        return false;
      }
      wanted.forEach(one -> queue.bringForward(one.rule().key()));
      found(new NextWork.Evict(leaving));
      return true;
    }

    /** Plans a change for a rule, unless the switch has no form for the rule. */
    private Outcome unless(LogicalRule rule, Change change) {
      Refusal noForm = placement.pipeline().whyNot(placement.name(), rule);
      return noForm == null ? plan(change) : noForm;
    }

    /** Plans a change; where it costs more flow-mods than it should, that is better than none. */
    private Outcome plan(Change change) {
      Outcome outcome = placement.placer().plan(change);
      return outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS
          ? placement.placer().plan(change, SwitchPlacement.MAX_FLOW_MODS)
          : outcome;
    }

    private WeightedRule weighted(LogicalRule rule) {
      return new WeightedRule(new Rule(rule.key(), rule.treatment()), traffic.weightOf(rule));
    }

    /** Why the switch cannot get any group of a rule as a whole. */
    private @Nullable Refusal whyNotTogether(RuleKey key) {
      Refusal first = null;
      for (RuleGroups.Group group : placement.groups().of(key)) {
        Optional<Refusal> whyNot = plannedGroups.computeIfAbsent(group, this::whyNot);
        if (whyNot.isEmpty()) {
          return null;
        }
        first = first == null ? whyNot.get() : first;
      }
      return first;
    }

    /** The entries of a group that the switch does not have. */
    private List<WeightedRule> missing(RuleGroups.Group group) {
      List<WeightedRule> together = new ArrayList<>();
      for (RuleKey one : group.missingEntries()) {
        LogicalRule rule = placement.requested(one);
        if (rule != null && placement.placer().layerOf(one) < 0) {
          together.add(weighted(rule));
        }
      }
      return together;
    }

    private Optional<Refusal> whyNot(RuleGroups.Group group) {
      List<WeightedRule> together = missing(group);
      return together.size() < 2
          ? Optional.empty()
          : Optional.ofNullable(
              placement.placer().whyNotAll(together, SwitchPlacement.MAX_FLOW_MODS));
    }

    private void planned(Outcome outcome, RuleKey key) {
      if (outcome instanceof Refusal refusal) {
        refused.put(key, refusal);
      } else {
        found(new NextWork.CarryOut((Plan) outcome, key));
      }
    }
  }
}
