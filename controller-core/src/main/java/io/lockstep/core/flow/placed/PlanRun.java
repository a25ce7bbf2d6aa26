package io.lockstep.core.flow.placed;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.placer.Change;
import io.lockstep.placer.LogicalChange;
import io.lockstep.placer.Outcome;
import io.lockstep.placer.PlacementImage.Known;
import io.lockstep.placer.Plan;
import io.lockstep.placer.Refusal;
import io.lockstep.placer.RuleKey;
import io.lockstep.placer.Step;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Carries one plan out. The store gets the changes of the plan first, then the switch gets its
 * flow-mods, and confirms each group of {@link StepGroups} before the next. Where the switch
 * rejects steps, the placer gives another plan for the same change, or refuses it: then the run
 * ends with the refusal, and what it prepared remains in the switch.
 */
final class PlanRun implements SwitchRun<Optional<Refusal>> {
  /** Groups with rejected steps after which the run ends, and the node reads the switch anew. */
  static final int MAX_REJECTIONS = 64;

  private final SwitchPlacement placement;
  private final @Nullable LogicalRule subject;
  private Plan plan;
  private StepGroups groups;
  private List<Integer> sent = List.of();
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
    this.groups = new StepGroups(plan, placement);
  }

  @Override
  public RunAction<Optional<Refusal>> start(long nowMillis) {
    groups = new StepGroups(plan, placement);
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
    // Entries that no packet reaches do no harm, whether the store knows of them or not: rows
    // follow
    // with the next write, which comes before the rule leaves that hides them.
    placement.ledger().begin(prepares() ? List.of() : pending, false);
    return new RunAction.Store<>();
  }

  private boolean prepares() {
    return plan.change() instanceof Change.Prepare;
  }

  @Override
  public RunAction<Optional<Refusal>> stored(long nowMillis) {
    return proceed(nowMillis);
  }

  @Override
  public RunAction<Optional<Refusal>> answered(List<FlowModOutcome> outcomes, long nowMillis) {
    for (FlowModOutcome outcome : outcomes) {
      if (outcome instanceof FlowModOutcome.Unknown) {
        return new RunAction.ReadAnew<>(outcome.why());
      }
    }
    Map<Integer, String> errors = new LinkedHashMap<>();
    int answer = 0;
    for (int number : sent) {
      FlowModOutcome outcome = plan.steps().get(number).flowMod() ? outcomes.get(answer++) : null;
      if (outcome instanceof FlowModOutcome.Refused refused) {
        errors.put(number, refused.error());
      } else {
        confirm(number, nowMillis);
      }
    }
    return errors.isEmpty() ? proceed(nowMillis) : rejected(errors, nowMillis);
  }

  /** Confirms steps up to the next flow-mods, and gives those. */
  private RunAction<Optional<Refusal>> proceed(long nowMillis) {
    while (true) {
      sent = groups.next();
      if (sent.isEmpty()) {
        placement.ledger().end();
        return new RunAction.End<>(Optional.empty());
      }
      List<FlowMod> mods = new ArrayList<>();
      for (int number : sent) {
        Step step = plan.steps().get(number);
        if (step.flowMod()) {
          mods.add(placement.pipeline().mod(step));
        }
      }
      if (!mods.isEmpty()) {
        return new RunAction.Send<>(mods);
      }
      sent.forEach(number -> confirm(number, nowMillis));
    }
  }

  private void confirm(int number, long nowMillis) {
    placement.confirm(plan.steps().get(number), changes.get(number), nowMillis);
  }

  /** The switch rejected some steps of a group, and carried the others out. */
  private RunAction<Optional<Refusal>> rejected(Map<Integer, String> errors, long nowMillis) {
    String error = "";
    int last = -1;
    for (Map.Entry<Integer, String> one : errors.entrySet()) {
      if (last >= 0) {
        placement.placer().learnRefused(plan.steps().get(last), SwitchErrors.isTableFull(error));
      }
      last = one.getKey();
      error = one.getValue();
      placement.rejected(plan.steps().get(last), error);
    }
    rejections++;
    if (rejections > MAX_REJECTIONS && !prepares()) {
      return new RunAction.ReadAnew<>(
          "the switch rejected steps of a plan " + rejections + " times, the last with " + error);
    }
    Outcome next = placement.placer().refused(plan, last, SwitchErrors.isTableFull(error));
    takeOverShadows();
    if (next instanceof Refusal refusal) {
      return new RunAction.End<>(Optional.of(refusal));
    }
    if (rejections > MAX_REJECTIONS) {
      return new RunAction.End<>(Optional.empty()); // the rest comes with the next part
    }
    plan = (Plan) next;
    return start(nowMillis);
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
