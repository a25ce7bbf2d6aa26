package io.lockstep.core.flow.placed;

import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.store.logging.BoundedLog;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans how the switch loses a rule. A rule that another one hides takes no entry; when the other
 * one leaves it needs room, and where there is none a third rule may have to make room. Control
 * loop only.
 */
final class RemovalPlanner {
  private static final BoundedLog log = BoundedLog.of(RemovalPlanner.class);

  private final SwitchPlacement placement;

  /** Rules whose removal had no plan at the first attempt. */
  private final Set<RuleKey> failedBefore = new HashSet<>();

  RemovalPlanner(SwitchPlacement placement) {
    this.placement = placement;
  }

  /**
   * Plans the removal of a rule. Remembers a rule that cannot be removed now.
   *
   * @return the removal, an eviction before it, or a later attempt
   */
  NextWork plan(RuleKey key) {
    Outcome outcome = placement.placer().plan(new Change.Remove(key));
    if (outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS) {
      outcome = placement.placer().plan(new Change.Remove(key), Integer.MAX_VALUE);
    }
    if (outcome instanceof Plan plan) {
      return new NextWork.Remove(plan, key);
    }
    Refusal refusal = (Refusal) outcome;
    PlacedRow hidden = hiddenBy(key, refusal.rule());
    if (hidden != null && planOf(hidden.key()) != null) {
      return evict(hidden.key(), key, refusal, "the rule that hid it is removed");
    }
    // At the second attempt the rule in the way is removed and added again behind the removal:
    // nothing else makes room where rules take all that is left.
    RuleKey inTheWay = refusal.rule();
    boolean movable = placement.ledger().row(inTheWay) != null && !inTheWay.equals(key);
    if (movable
        && !failedBefore.add(key)
        && !placement.isSystem(inTheWay)
        && planOf(inTheWay) != null) {
      return evict(inTheWay, key, refusal, "it makes room for a removal");
    }
    log.warn(
        placement.name(),
        "{}: the switch cannot lose a rule yet: {}",
        placement.name(),
        refusal.message(key));
    return new NextWork.RetryRemovals(refusal);
  }

  /** The plan that removes a rule at once; null where there is none. */
  @Nullable Plan planOf(RuleKey key) {
    return placement.placer().plan(new Change.Remove(key)) instanceof Plan plan ? plan : null;
  }

  /** The switch has lost the rule. */
  void removed(RuleKey key) {
    failedBefore.remove(key);
  }

  private static NextWork evict(RuleKey victim, RuleKey removed, Refusal refusal, String because) {
    return new NextWork.Evict(
        victim,
        new Refusal(
            refusal.reason(),
            refusal.switchName(),
            refusal.layer(),
            refusal.table(),
            victim,
            refusal.capacity(),
            refusal.used(),
            because + ", " + removed + "; " + refusal.detail()));
  }

  /** A hidden rule that may win packets of the removed one; {@code named} before others. */
  private @Nullable PlacedRow hiddenBy(RuleKey removed, RuleKey named) {
    PlacedRow found = null;
    for (PlacedRow row : placement.ledger().rows()) {
      boolean hidden =
          !row.live()
              && row.key().priority() < removed.priority()
              && row.key().match().overlaps(removed.match());
      if (hidden && (found == null || row.key().equals(named))) {
        found = row;
      }
    }
    return found;
  }
}
