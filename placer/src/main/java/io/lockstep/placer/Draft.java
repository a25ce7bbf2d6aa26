package io.lockstep.placer;

import io.lockstep.placer.profile.Capacity;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The steps of a plan while it is made: each is applied to the placement, and all are undone in the
 * end, whether the plan succeeds or not. Owned by one thread.
 */
final class Draft {
  final Placement placement;
  private final int maxFlowMods;

  /** Whether a rule may go to the controller's layer. */
  final boolean controllerServes;

  private final List<Step> steps = new ArrayList<>();
  private final List<Runnable> undos = new ArrayList<>();
  private long[] usedBefore;
  private int flowMods;

  /** The most flow-mods of the present change. */
  private int most;

  /** The flow-mods up to which it may go. */
  private int limit;

  /** Why the bound on flow-mods, and nothing else, blocked a way of the present change. */
  private @Nullable PlacementRefusedException overBound;

  Draft(Placement placement, int maxFlowMods, boolean controllerServes) {
    this.placement = placement;
    this.controllerServes = controllerServes;
    this.maxFlowMods = maxFlowMods;
    most = maxFlowMods;
    limit = maxFlowMods;
    usedBefore = used(placement);
  }

  private static long[] used(Placement placement) {
    return placement.layers.stream().mapToLong(table -> table.used).toArray();
  }

  /** Begins another change behind those so far, with the same bound of its own. */
  void nextChange() {
    nextChange(maxFlowMods);
  }

  /**
   * Makes another change behind those so far, and returns null; or why there is no plan for it.
   *
   * @param beyond the flow-mods that it may cost where it has no plan within the bound
   */
  @Nullable Refusal whyNotNext(
      Change change, Change.Visitor<Draft, PlacementRefusedException> steps, int beyond) {
    Refusal refusal = null;
    int mark = mark();
    for (int bound : new int[] {maxFlowMods, beyond}) {
      nextChange(bound);
      try {
        change.accept(steps, this);
        return null;
      } catch (PlacementRefusedException blocked) {
        refusal = whyNot(blocked);
        backTo(mark);
      }
      if (refusal.reason() != Refusal.Reason.TOO_MANY_STEPS) {
        return refusal;
      }
    }
    return refusal;
  }

  private void nextChange(int bound) {
    most = bound;
    limit = flowMods > Integer.MAX_VALUE - bound ? Integer.MAX_VALUE : flowMods + bound;
    usedBefore = used(placement);
    overBound = null;
  }

  void step(Step step) throws PlacementRefusedException {
    if (step.flowMod()) {
      if (flowMods >= limit) {
        overBound =
            blocked(
                Refusal.Reason.TOO_MANY_STEPS,
                step.layer(),
                step.rule(),
                "a change may cost " + most + " flow-mods, and this one costs more");
        throw overBound;
      }
      if (step.kind() == Step.Kind.ADD) {
        checkRoom(step);
      }
      RuleKey exposed = placement.aggregates.exposedBy(step);
      if (exposed != null) {
        throw blocked(
            Refusal.Reason.CANNOT_COVER,
            step.layer(),
            exposed,
            "an aggregated cover takes some of its packets, so it needs a copy in the next layer");
      }
    }
    undos.add(placement.apply(step, 0));
    steps.add(step);
    flowMods += step.flowMod() ? 1 : 0;
  }

  private void checkRoom(Step step) throws PlacementRefusedException {
    LayerTable table = placement.layers.get(step.layer());
    int units = table.unitsOf(step.entry().match());
    if (table.used + units > table.capacity) {
      String what = step.cover() ? "a cover of it" : "it";
      throw blocked(
          Refusal.Reason.NO_ROOM, step.layer(), step.rule(), what + " takes " + units + " units");
    }
  }

  PlacementRefusedException blocked(Refusal.Reason reason, int layer, RuleKey rule, String detail) {
    return new PlacementRefusedException(refusal(placement, reason, layer, rule, detail));
  }

  static Refusal refusal(
      Placement placement, Refusal.Reason reason, int layer, RuleKey rule, String detail) {
    boolean inSwitch = layer >= 0 && layer < placement.controller();
    LayerTable table = inSwitch ? placement.layers.get(layer) : null;
    return new Refusal(
        reason,
        placement.switchName,
        table == null ? "controller" : table.profile.id(),
        table == null ? -1 : table.profile.table(),
        rule,
        table == null ? Capacity.UNBOUNDED : table.capacity,
        table == null ? 0 : table.used,
        detail);
  }

  /** Checks that a layer whose use grew by the present change still has its reserve. */
  void checkReserve(RuleKey rule) throws PlacementRefusedException {
    checkReserve(rule, usedBefore.length);
  }

  /** The same for the layers before one. */
  void checkReserve(RuleKey rule, int end) throws PlacementRefusedException {
    for (int layer = 0; layer < end; layer++) {
      LayerTable table = placement.layers.get(layer);
      if (table.used > usedBefore[layer] && table.used > table.steady()) {
        throw blocked(
            Refusal.Reason.NO_ROOM,
            layer,
            rule,
            table.profile.reserveUnits() + " units must stay free for moves");
      }
    }
  }

  /**
   * Why the present change has no plan. Where the bound on flow-mods blocked one of its ways that
   * is the reason, since a plan may exist beyond the bound.
   *
   * @param blocked what blocked the last way, or the most telling of them
   */
  Refusal whyNot(PlacementRefusedException blocked) {
    return (overBound == null ? blocked : overBound).refusal();
  }

  int flowMods() {
    return flowMods;
  }

  /** The flow-mods that the change may still cost. */
  int flowModsLeft() {
    return limit - flowMods;
  }

  int mark() {
    return steps.size();
  }

  void backTo(int mark) {
    while (steps.size() > mark) {
      Step step = steps.remove(steps.size() - 1);
      undos.remove(undos.size() - 1).run();
      flowMods -= step.flowMod() ? 1 : 0;
    }
  }

  /** Undoes all steps, and returns them. */
  List<Step> finish() {
    List<Step> all = List.copyOf(steps);
    backTo(0);
    return all;
  }
}
