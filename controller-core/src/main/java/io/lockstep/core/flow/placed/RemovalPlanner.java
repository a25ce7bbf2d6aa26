package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Preparation;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans how the switch loses a rule. A rule that another one hides takes no entry; before the other
 * one leaves it gets one. Many hidden rules get theirs in parts, and those that no layer takes, or
 * that the switch rejects, leave the logical table: so none of them keeps the other one in the
 * switch. Where something else is in the way of a removal, a third rule may have to make room,
 * unless that rule drops packets: then the removal waits. Control loop only.
 */
final class RemovalPlanner {
  private static final BoundedLog log = BoundedLog.of(RemovalPlanner.class);

  /** Hidden rules in one part, so that a part takes the control loop some milliseconds. */
  static final int MAX_PREPARED = 512;

  private final SwitchPlacement placement;

  /** Rules whose removal had no plan at the first attempt. */
  private final Set<RuleKey> failedBefore = new HashSet<>();

  RemovalPlanner(SwitchPlacement placement) {
    this.placement = placement;
  }

  /**
   * Plans the removal of a rule. Remembers a rule that cannot be removed now.
   *
   * @return the removal, a preparation or an eviction before it, or a later attempt
   */
  NextWork plan(RuleKey key) {
    Preparation before = placement.placer().prepare(key, MAX_PREPARED);
    if (!before.homeless().isEmpty()) {
      return evictHidden(before.homeless(), key);
    }
    if (!before.plan().steps().isEmpty()) {
      return new NextWork.Prepare(before.plan());
    }
    Outcome outcome = placement.placer().plan(new Change.Remove(key));
    if (outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS) {
      outcome = placement.placer().plan(new Change.Remove(key), Integer.MAX_VALUE);
    }
    if (outcome instanceof Plan plan) {
      return new NextWork.Remove(plan, key);
    }
    Refusal refusal = (Refusal) outcome;
    // At the second attempt the rule in the way is removed and added again behind the removal:
    // nothing else makes room where rules take all that is left.
    RuleKey inTheWay = refusal.rule();
    boolean again = !failedBefore.add(key);
    if (again && !inTheWay.equals(key) && mayLeave(inTheWay) && planOf(inTheWay) != null) {
      return new NextWork.Evict(
          Map.of(inTheWay, because("it makes room for a removal", key, inTheWay, refusal)));
    }
    log.warn(
        placement.name(),
        "{}: the switch cannot lose a rule yet: {}",
        placement.name(),
        refusal.message(key));
    boolean waitedFor = placement.requested(key) == null;
    return new NextWork.RetryRemovals(key, refusal, again && waitedFor);
  }

  /**
   * Whether a rule may be out of the switch for a while, for the sake of a removal. One that sends
   * no packet to a port stays: what it drops would be served meanwhile.
   */
  private boolean mayLeave(RuleKey key) {
    PlacedRow row = placement.ledger().row(key);
    return row != null
        && !placement.isSystem(key)
        && LogicalRule.sendsToPorts(SwitchPipeline.treatment(row.treatment()));
  }

  /** The plan that removes a rule at once; null where there is none. */
  @Nullable Plan planOf(RuleKey key) {
    return placement.placer().plan(new Change.Remove(key)) instanceof Plan plan ? plan : null;
  }

  /** The switch has lost the rule. */
  void removed(RuleKey key) {
    failedBefore.remove(key);
  }

  private static NextWork evictHidden(Map<RuleKey, Refusal> hidden, RuleKey removed) {
    Map<RuleKey, Refusal> victims = new LinkedHashMap<>();
    hidden.forEach(
        (key, refusal) ->
            victims.put(key, because("the rule that hid it is removed", removed, key, refusal)));
    return new NextWork.Evict(victims);
  }

  private static Refusal because(String why, RuleKey removed, RuleKey victim, Refusal refusal) {
    return new Refusal(
        refusal.reason(),
        refusal.switchName(),
        refusal.layer(),
        refusal.table(),
        victim,
        refusal.capacity(),
        refusal.used(),
        why + ", " + removed + "; " + refusal.detail());
  }
}
