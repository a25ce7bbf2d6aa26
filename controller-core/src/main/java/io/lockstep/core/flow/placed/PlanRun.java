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
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries one plan out. The store gets the changes of the plan first, then the switch gets its
 * flow-mods, and confirms each before the next. Where the switch rejects a step, the placer gives
 * another plan for the same change, or refuses it: then the run ends with the refusal, and what it
 * prepared remains in the switch.
 */
final class PlanRun implements SwitchRun<Optional<Refusal>> {
  /** Rejected steps after which the run ends, so that the node reads the switch anew. */
  static final int MAX_REJECTIONS = 64;

  private final SwitchPlacement placement;
  private final @Nullable LogicalRule subject;
  private Plan plan;
  private int position;
  private int rejections;

  /** What each step of the plan changes in the ledger; null for a step that changes nothing. */
  private List<@Nullable PendingChange> changes = List.of();

  /**
   * A run that has not begun.
   *
   * @param subject the rule that the plan adds or changes, as it was requested when the placer made
   *     the plan; null for a plan that adds and changes none
   */
  PlanRun(SwitchPlacement placement, @Nullable LogicalRule subject, Plan plan) {
    this.placement = placement;
    this.subject = subject;
    this.plan = plan;
  }

  @Override
  public RunAction<Optional<Refusal>> start(long nowMillis) {
    position = 0;
    changes = new ArrayList<>();
    List<PendingChange> pending = new ArrayList<>();
    for (Step step : plan.steps()) {
      LogicalChange logical = step.logical();
      PendingChange change = logical == null ? null : logical.match(new ToLedger(nowMillis));
      changes.add(change);
      if (change != null) {
        pending.add(change);
      }
    }
    if (plan.flowMods() == 0) {
      // The switch does not see this plan, so the next write to the store may carry it.
      return proceed(nowMillis);
    }
    placement.ledger().begin(pending, false);
    return new RunAction.Store<>();
  }

  @Override
  public RunAction<Optional<Refusal>> stored(long nowMillis) {
    return proceed(nowMillis);
  }

  @Override
  public RunAction<Optional<Refusal>> answered(List<FlowModOutcome> outcomes, long nowMillis) {
    FlowModOutcome outcome = outcomes.get(0);
    return switch (outcome.kind()) {
      case INSTALLED -> {
        confirm(nowMillis);
        yield proceed(nowMillis);
      }
      case REFUSED -> rejected(outcome.why(), nowMillis);
      case UNKNOWN -> new RunAction.ReadAnew<>(outcome.why());
    };
  }

  /** Confirms steps up to the next flow-mod, and gives that one. */
  private RunAction<Optional<Refusal>> proceed(long nowMillis) {
    while (position < plan.steps().size() && !plan.steps().get(position).flowMod()) {
      confirm(nowMillis);
    }
    if (position == plan.steps().size()) {
      placement.ledger().end();
      return new RunAction.End<>(Optional.empty());
    }
    return new RunAction.Send<>(List.of(placement.pipeline().mod(plan.steps().get(position))));
  }

  private void confirm(long nowMillis) {
    placement.confirm(plan.steps().get(position), changes.get(position), nowMillis);
    position++;
  }

  private RunAction<Optional<Refusal>> rejected(String error, long nowMillis) {
    placement.rejected(plan.steps().get(position), error);
    if (++rejections > MAX_REJECTIONS) {
      return new RunAction.ReadAnew<>(
          "the switch rejected " + rejections + " steps of a plan, the last with " + error);
    }
    Outcome next = placement.placer().refused(plan, position, SwitchErrors.isTableFull(error));
    takeOverShadows();
    if (next instanceof Plan other) {
      plan = other;
      return start(nowMillis);
    }
    return new RunAction.End<>(Optional.of((Refusal) next));
  }

  /** The placer withdrew the rules that an abandoned plan let win packets; so does the ledger. */
  private void takeOverShadows() {
    for (Known known : placement.placer().image().rules()) {
      placement.ledger().live(known.rule().key(), known.live());
    }
  }

  /** Translates what a step changes in the placer into what it changes in the ledger. */
  private final class ToLedger implements LogicalChange.Cases<PendingChange> {
    private final long nowMillis;

    ToLedger(long nowMillis) {
      this.nowMillis = nowMillis;
    }

    @Override
    public PendingChange put(LogicalChange.Put put) {
      RuleKey key = put.rule().key();
      PlacedRow before = placement.ledger().row(key);
      if (subject == null || !subject.key().equals(key)) {
        throw new IllegalStateException(
            placement.name() + ": a plan adds or changes a rule that no one requests: " + key);
      }
      return new PendingChange.Put(
          before == null
              ? PlacedRow.of(subject, put.live(), put.weight(), nowMillis)
              : before.changedTo(subject));
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
      throw new IllegalStateException("the node adds rules one by one, so no plan fills: " + fill);
    }

    @Override
    public PendingChange resize(LogicalChange.Resize resize) {
      return new PendingChange.Resize(resize.layer(), resize.units());
    }
  }
}
