package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Plan;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import java.util.ArrayList;
import java.util.List;

/**
 * Adds new rules together, when each takes one flow-mod and no packet can match two of them. No
 * packet shows in which order the switch adds such rules. So the placer plans each as if those
 * before it were done, and the switch gets all of them with one barrier. A rule that the switch
 * rejects leaves the placer again, which changes nothing for the others.
 */
final class BatchRun implements SwitchRun<BatchRun.Result> {
  private final SwitchPlacement placement;
  private final List<Plan> plans = new ArrayList<>();
  private final List<PlacedRow> rows = new ArrayList<>();

  /** Which rules the switch has now, and which it rejected. */
  record Result(List<RuleKey> installed, List<RuleKey> rejected) {
    Result {
      installed = List.copyOf(installed);
      rejected = List.copyOf(rejected);
    }
  }

  BatchRun(SwitchPlacement placement) {
    this.placement = placement;
  }

  int size() {
    return plans.size();
  }

  /** Whether a packet can match both this rule and one of the batch. */
  boolean overlaps(RuleKey key) {
    for (PlacedRow row : rows) {
      if (row.key().match().overlaps(key.match())) {
        return true;
      }
    }
    return false;
  }

  /** Whether a plan may be a part of a batch. */
  static boolean takes(Plan plan) {
    return plan.steps().size() == 1 && plan.steps().get(0).kind() == Step.Kind.ADD;
  }

  /** Adds a plan, and lets the placer take it as done. */
  void add(Plan plan, PlacedRow row, long nowMillis) {
    placement.placer().confirm(plan, nowMillis);
    plans.add(plan);
    rows.add(row);
  }

  @Override
  public RunAction<Result> start(long nowMillis) {
    List<PendingChange> pending = new ArrayList<>();
    rows.forEach(row -> pending.add(new PendingChange.Put(row)));
    placement.ledger().begin(pending, true);
    return new RunAction.Store<>();
  }

  @Override
  public RunAction<Result> stored(long nowMillis) {
    List<FlowMod> mods = new ArrayList<>();
    plans.forEach(plan -> mods.add(placement.pipeline().mod(step(plan))));
    return new RunAction.Send<>(mods);
  }

  private static Step step(Plan plan) {
    return plan.steps().get(0);
  }

  @Override
  public RunAction<Result> answered(List<FlowModOutcome> outcomes, long nowMillis) {
    List<RuleKey> installed = new ArrayList<>();
    List<RuleKey> rejected = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      PlacedRow row = rows.get(i);
      FlowModOutcome outcome = outcomes.get(i);
      switch (outcome.kind()) {
        case INSTALLED -> {
          installed.add(row.key());
          placement.ledger().done(new PendingChange.Put(row));
        }
        case REFUSED -> {
          rejected.add(row.key());
          takeBack(step(plans.get(i)), nowMillis);
        }
        case UNKNOWN -> {
          return new RunAction.ReadAnew<>(outcome.why());
        }
      }
    }
    placement.ledger().end();
    learn(outcomes);
    return new RunAction.End<>(new Result(installed, rejected));
  }

  private void takeBack(Step added, long nowMillis) {
    placement
        .placer()
        .confirm(
            new Step(
                Step.Kind.DELETE,
                added.layer(),
                added.entry(),
                added.rule(),
                null,
                true,
                new LogicalChange.Drop(added.rule())),
            nowMillis);
  }

  /** Reports the errors to the placer, once it holds none of the rejected rules any more. */
  private void learn(List<FlowModOutcome> outcomes) {
    for (int i = 0; i < plans.size(); i++) {
      if (outcomes.get(i) instanceof FlowModOutcome.Refused refused) {
        Plan plan = plans.get(i);
        placement.rejected(step(plan), refused.error());
        // The plan that this call returns is of no use: the rule is planned again in its turn.
        placement.placer().refused(plan, 0, SwitchErrors.isTableFull(refused.error()));
      }
    }
  }
}
