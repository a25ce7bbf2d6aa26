package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.PlacedSwitch.Listener;
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
 * How a rule goes, also where another must make way for it: a rule that the one that goes had
 * hidden may have no place. Owned by the control loop.
 */
final class Removals {
  private static final BoundedLog log = BoundedLog.of(Removals.class);
  private static final long RETRY_MILLIS = 1_000;

  private final PlacedSwitch owner;
  private final Site site;
  private final Turns turns;
  private final Listener listener;

  /** Rules that could not go at the first attempt. */
  private final Set<RuleKey> stuck = new HashSet<>();

  Removals(PlacedSwitch owner, Turns turns, Listener listener) {
    this.owner = owner;
    this.site = owner.site;
    this.turns = turns;
    this.listener = listener;
  }

  /** Begins to take a rule away; the turn of the piece of work ends with it. */
  void begin(RuleKey key) {
    Outcome outcome = site.placer().plan(new Change.Remove(key));
    if (outcome instanceof Refusal refusal && refusal.reason() == Refusal.Reason.TOO_MANY_STEPS) {
      outcome = site.placer().plan(new Change.Remove(key), Integer.MAX_VALUE);
    }
    if (outcome instanceof Plan plan) {
      turns.run(plan, key, true);
      return;
    }
    Refusal refusal = (Refusal) outcome;
    PlacedRow homeless = hiddenBy(key, refusal.rule());
    if (homeless != null && forsake(homeless.key(), key, refusal, "the rule that hid it goes")) {
      return;
    }
    // The second time it makes way for what goes, and comes back behind it: nothing else would
    // ever make room where all that is left is taken.
    boolean inTheWay = site.ledger.row(refusal.rule()) != null && !refusal.rule().equals(key);
    if (inTheWay
        && !stuck.add(key)
        && !isOwn(refusal.rule())
        && forsake(refusal.rule(), key, refusal, "it makes way for a rule that goes")) {
      return;
    }
    log.warn(site.name(), "{}: a rule cannot go yet: {}", site.name(), refusal.message(key));
    owner.queue.removeLater(key);
    site.after(
        RETRY_MILLIS,
        () -> {
          // What the switch refused may be what stands in the way.
          site.placer().forgetRefusals();
          owner.queue.bringBack();
          turns.wake();
        });
    turns.free();
  }

  /** A rule that comes back to life when another goes; {@code named} where it is one. */
  private @Nullable PlacedRow hiddenBy(RuleKey going, RuleKey named) {
    PlacedRow found = null;
    for (PlacedRow row : site.ledger.rows()) {
      boolean hidden =
          !row.live()
              && row.key().priority() < going.priority()
              && row.key().match().overlaps(going.match());
      if (hidden && (found == null || row.key().equals(named))) {
        found = row;
      }
    }
    return found;
  }

  private boolean isOwn(RuleKey key) {
    LogicalRule rule = owner.wanted.get(key);
    return rule != null && rule.origin() == LogicalRule.Origin.SYSTEM;
  }

  /**
   * Removes one rule so that another can be removed. First the rule is reported as not installed,
   * so that every node knows it before a packet can meet the change. The rule is retried after the
   * other one is removed.
   *
   * @return false where it cannot go either
   */
  private boolean forsake(RuleKey poor, RuleKey going, Refusal why, String because) {
    if (!(site.placer().plan(new Change.Remove(poor)) instanceof Plan)) {
      return false;
    }
    owner.queue.replace(going);
    Refusal its =
        new Refusal(
            why.reason(),
            why.switchName(),
            why.layer(),
            why.table(),
            poor,
            why.capacity(),
            why.used(),
            because + ", " + going + "; " + why.detail());
    String text = its.message();
    owner.refusals.add(poor, its, text);
    listener
        .refused(poor, text)
        .thenAccept(
            told -> {
              if (told) {
                leave(poor);
              } else {
                turns
                    .free(); // what is wanted now has its turn, and then the other comes here again
              }
            });
    return true;
  }

  private void leave(RuleKey poor) {
    if (site.closed()) {
      return;
    }
    if (site.placer().plan(new Change.Remove(poor)) instanceof Plan plan) {
      turns.run(plan, poor, true);
    } else {
      turns.free();
    }
  }

  /** The rule went. */
  void done(RuleKey key) {
    stuck.remove(key);
  }
}
