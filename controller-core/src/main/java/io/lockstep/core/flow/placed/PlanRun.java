package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Carries one plan out: what it will change goes to the store, then its steps to the switch, each
 * confirmed before the next. A refused step leads to the placer's next plan. Control loop only.
 */
final class PlanRun implements LogicalChange.Cases<PendingChange> {
  /** Steps that the switch may refuse before the run is given up and the switch read anew. */
  private static final int MAX_REFUSALS = 64;

  private final Site site;
  private final @Nullable LogicalRule subject;
  private final End end;
  private int refusals;

  /** What each step of the plan changes in the ledger; null for those that change nothing. */
  private List<@Nullable PendingChange> changes = List.of();

  /** How a run ends; called once. */
  interface End {
    /** All steps are done. */
    void done();

    /** The change is not made; what was prepared for it is to be tidied up. */
    void refused(Refusal refusal);

    /** The switch refused a step; the run goes on. */
    void switchRefused(Step step, String error);

    /** Nobody knows what the switch did. */
    void unknown(String reason);
  }

  /**
   * A run.
   *
   * @param subject the rule that comes or changes, as it was wanted when the plan was made
   */
  PlanRun(Site site, @Nullable LogicalRule subject, End end) {
    this.site = site;
    this.subject = subject;
    this.end = end;
  }

  /** Begins. */
  void run(Plan plan) {
    List<PendingChange> pending = new ArrayList<>();
    changes = new ArrayList<>();
    for (Step step : plan.steps()) {
      LogicalChange logical = step.logical();
      PendingChange change = logical == null ? null : logical.match(this);
      changes.add(change);
      if (change != null) {
        pending.add(change);
      }
    }
    if (plan.flowMods() == 0) {
      // Nothing of it can be seen on the switch: it is done with the next write.
      go(plan, 0);
      return;
    }
    site.ledger.begin(pending, false);
    site.write(() -> go(plan, 0));
  }

  // ---- the changes of the plan, as they are stored ----

  @Override
  public PendingChange put(LogicalChange.Put put) {
    return new PendingChange.Put(row(put));
  }

  @Override
  public PendingChange drop(LogicalChange.Drop drop) {
    return new PendingChange.Drop(drop.key());
  }

  @Override
  public PendingChange live(LogicalChange.Live live) {
    return new PendingChange.Live(live.key(), live.live());
  }

  @Override
  public PendingChange fill(LogicalChange.Fill fill) {
    throw new IllegalStateException("rules are never filled in at once: " + fill);
  }

  @Override
  public PendingChange resize(LogicalChange.Resize resize) {
    return new PendingChange.Resize(resize.layer(), resize.units());
  }

  private PlacedRow row(LogicalChange.Put put) {
    RuleKey key = put.rule().key();
    PlacedRow before = site.ledger.row(key);
    if (subject == null || !subject.key().equals(key)) {
      throw new IllegalStateException(site.name() + ": a plan for a rule nobody wants: " + key);
    }
    PlacedRow row = PlacedRow.of(subject, put.live(), put.weight(), site.now());
    return before == null
        ? row
        : new PlacedRow(
            key,
            row.treatment(),
            before.live(),
            before.weight(),
            before.bornMillis(),
            row.origin(),
            row.owner(),
            row.idleSeconds(),
            row.hardSeconds());
  }

  // ---- its steps ----

  private void go(Plan plan, int from) {
    int i = from;
    while (i < plan.steps().size() && !plan.steps().get(i).flowMod()) {
      confirm(plan, i++);
    }
    if (i == plan.steps().size()) {
      site.ledger.end();
      end.done();
      return;
    }
    int next = i;
    Step step = plan.steps().get(i);
    site.send(List.of(site.layout.mod(step)), outcomes -> sent(plan, next, outcomes.get(0)));
  }

  private void sent(Plan plan, int at, FlowModOutcome outcome) {
    boolean installed =
        switch (outcome.kind()) {
          case INSTALLED -> true;
          case REFUSED -> {
            refused(plan, at, outcome.why());
            yield false;
          }
          case UNKNOWN -> {
            end.unknown(outcome.why());
            yield false;
          }
        };
    if (installed) {
      confirm(plan, at);
      go(plan, at + 1);
    }
  }

  private void confirm(Plan plan, int at) {
    site.placer().confirm(plan.steps().get(at), site.now());
    site.turns++;
    PendingChange pending = changes.get(at);
    if (pending != null) {
      site.ledger.done(pending);
    }
  }

  private void refused(Plan plan, int at, String why) {
    end.switchRefused(plan.steps().get(at), why);
    if (++refusals > MAX_REFUSALS) {
      end.unknown("the switch refused " + refusals + " steps, the last with " + why);
      return;
    }
    Outcome next = site.placer().refused(plan, at, SwitchErrors.isTableFull(why));
    takeOverLife();
    if (next instanceof Plan other) {
      run(other);
    } else {
      end.refused((Refusal) next);
    }
  }

  /** What an abandoned plan brought to life is not any more. */
  private void takeOverLife() {
    for (Known known : site.placer().image().rules()) {
      PlacedRow row = site.ledger.row(known.rule().key());
      if (row != null && row.live() != known.live()) {
        site.ledger.put(row.withLive(known.live()));
      }
    }
  }
}
