package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.PlacedSwitch.Listener;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.placer.Change;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.Rule;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import io.lockstep.placer.WeightedRule;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a placed switch does next. A turn looks at queue until there is a plan, or a batch of new
 * rules; it ends when these are carried out, and the next begins in a task of its own. Where
 * nothing is to do, the store is told the rest. Owned by the control loop.
 */
final class Turns {
  /** Rules looked at before other tasks of the control loop have their turn. */
  private static final int LOOKS = 256;

  private final PlacedSwitch owner;
  private final Site site;
  private final Listener listener;
  private final Removals removals;

  private boolean working = true;

  Turns(PlacedSwitch owner, Listener listener) {
    this.owner = owner;
    this.site = owner.site;
    this.listener = listener;
    this.removals = new Removals(owner, this, listener);
  }

  /** Nothing begins until the turn is given free. */
  void hold() {
    working = true;
  }

  /** Whether a piece of work is under way, the store's write of what it did included. */
  boolean working() {
    return working;
  }

  /** Takes the turn for a piece of work; false where there is another. */
  boolean begin() {
    if (working || site.closed() || !owner.ready()) {
      return false;
    }
    working = true;
    return true;
  }

  /** The piece of work is done; the next one gets its turn of the control loop. */
  void free() {
    working = false;
    site.soon(this::next);
  }

  /** Looks whether there is something to do. */
  void wake() {
    next();
  }

  /** How a turn goes on behind a wish. */
  private enum Turn {
    ON,
    /** Nothing more comes into the batch. */
    FULL,
    /** A plan is under way, or was. */
    OVER
  }

  private void next() {
    if (!begin()) {
      return;
    }
    if (owner.upkeep.wantsQuiet()) {
      working = false;
      owner.upkeep.read();
      return;
    }
    List<RuleKey> settled = new ArrayList<>();
    BatchRun batch = new BatchRun(site);
    Turn turn = Turn.ON;
    for (int looks = 0; looks < LOOKS && turn == Turn.ON && !owner.queue.isEmpty(); looks++) {
      ChangeQueue.Entry wish = owner.queue.next();
      turn = wish == null ? Turn.FULL : look(wish, batch, settled);
    }
    reportPlaced(settled);
    if (turn == Turn.OVER) {
      return;
    }
    if (batch.size() > 0) {
      run(batch);
    } else if (!owner.queue.isEmpty()) {
      free();
    } else {
      site.write(this::rest);
    }
  }

  /** The store knows everything. */
  private void rest() {
    working = false;
    if (!owner.queue.isEmpty()) {
      site.soon(this::next);
    }
  }

  /**
   * Reports rules that are installed as they are requested now. A rule whose request changed in the
   * meantime is left out.
   */
  private void reportPlaced(List<RuleKey> keys) {
    List<RuleKey> asWanted = new ArrayList<>();
    for (RuleKey key : keys) {
      PlacedRow row = site.ledger.row(key);
      LogicalRule rule = owner.wanted.get(key);
      if (row != null && rule != null && row.treatment().equals(rule.treatment())) {
        owner.refusals.forget(key);
        asWanted.add(key);
      }
    }
    if (!asWanted.isEmpty()) {
      listener.placed(asWanted);
    }
  }

  private Turn look(ChangeQueue.Entry wish, BatchRun batch, List<RuleKey> settled) {
    RuleKey key = wish.key();
    PlacedRow row = site.ledger.row(key);
    LogicalRule rule = owner.wanted.get(key);
    boolean goes = rule == null || wish.replaces();
    if (batch.overlaps(key) || (batch.size() > 0 && (goes || row != null))) {
      owner.queue.again(wish);
      return Turn.FULL;
    }
    if (rule == null || goes) {
      if (row != null) {
        removals.begin(key);
        return Turn.OVER;
      }
      if (rule == null) {
        listener.gone(key);
        return Turn.ON;
      }
    }
    if (row == null) {
      return add(rule, batch);
    }
    if (!row.treatment().equals(rule.treatment())) {
      return carryOut(site.placer().plan(new Change.Treat(key, rule.treatment())), key);
    }
    site.ledger.put(row.ownedBy(rule));
    settled.add(key);
    return Turn.ON;
  }

  private Turn add(LogicalRule rule, BatchRun batch) {
    RuleKey key = rule.key();
    double weight = owner.upkeep.weightOf(rule);
    Outcome outcome =
        site.placer()
            .plan(new Change.Add(new WeightedRule(new Rule(key, rule.treatment()), weight)));
    if (outcome instanceof Plan plan && BatchRun.takes(plan)) {
      batch.add(plan, PlacedRow.of(rule, true, weight, site.now()));
      return batch.size() < owner.upkeep.batchLimit() ? Turn.ON : Turn.FULL;
    }
    if (batch.size() > 0) {
      owner.queue.put(key); // in a turn of its own, behind the batch
      return Turn.FULL;
    }
    return carryOut(outcome, key);
  }

  private Turn carryOut(Outcome outcome, RuleKey key) {
    if (outcome instanceof Refusal refusal) {
      refuse(key, refusal);
      return Turn.ON;
    }
    run((Plan) outcome, key, false);
    return Turn.OVER;
  }

  private void refuse(RuleKey key, Refusal refusal) {
    boolean there = site.ledger.row(key) != null;
    String said = owner.upkeep.lastError(refusal.layer());
    String text =
        refusal.message(key)
            + (said == null ? "" : "; the switch last said " + said)
            + (there ? "; it stays as it was" : "");
    if (owner.refusals.add(key, refusal, text)) {
      listener.refused(key, text);
    }
  }

  private void run(BatchRun batch) {
    batch.run(
        new BatchRun.End() {
          @Override
          public void done(List<RuleKey> installed, List<BatchRun.RefusedRule> refused) {
            owner.upkeep.batchEnded(refused);
            reportPlaced(installed);
            refused.forEach(rule -> owner.queue.put(rule.key()));
            free();
          }

          @Override
          public void unknown(String reason) {
            owner.startAnew(reason);
          }
        });
  }

  /** Carries out a plan for a rule that comes, or {@code goes}; the turn ends with it. */
  void run(Plan plan, RuleKey key, boolean goes) {
    carryOut(
        plan,
        key,
        () -> {
          if (!goes) {
            reportPlaced(List.of(key));
          } else if (owner.wanted.containsKey(key)) {
            owner.queue.put(key);
          } else {
            owner.upkeep.forget(key);
            owner.refusals.forget(key);
            removals.done(key);
            listener.gone(key);
          }
          if (goes) {
            owner.refusals.worthRetrying().forEach(owner.queue::put);
          }
        });
  }

  /** Carries out a plan of this turn; the turn ends with it. */
  void carryOut(Plan plan, @Nullable RuleKey key, Runnable done) {
    new PlanRun(
            site,
            key == null ? null : owner.wanted.get(key),
            new PlanRun.End() {
              @Override
              public void done() {
                done.run();
                free();
              }

              @Override
              public void refused(Refusal refusal) {
                if (key != null) {
                  refuse(key, refusal);
                }
                tidy();
              }

              @Override
              public void switchRefused(Step step, String error) {
                owner.upkeep.switchRefused(step, error);
              }

              @Override
              public void unknown(String reason) {
                owner.startAnew(reason);
              }
            })
        .run(plan);
  }

  /** Takes away what was prepared for a change that is not made. */
  private void tidy() {
    site.ledger.end();
    if (site.placer().plan(new Change.Tidy()) instanceof Plan plan && !plan.steps().isEmpty()) {
      carryOut(plan, null, () -> {});
    } else {
      free();
    }
  }

  /** Sends flow-mods that make the switch what the ledger say. */
  void heal(List<FlowMod> mods) {
    site.send(
        mods,
        outcomes -> {
          if (outcomes.stream().allMatch(FlowModOutcome.Installed.class::isInstance)) {
            free();
          } else {
            owner.startAnew("not healed: " + outcomes.stream().distinct().limit(3).toList());
          }
        });
  }
}
