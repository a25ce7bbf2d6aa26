package io.lockstep.placer;

import io.lockstep.placer.profile.LayerKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** How much more traffic, by the weights of rules, is served in hardware after a plan. */
final class PlanGain {
  private PlanGain() {}

  /** Carries the plan out in the placement, looks, and takes it back. */
  static double of(Plan plan, Placement placement) {
    Set<PlacedRule> moved = new HashSet<>();
    for (Step step : plan.steps()) {
      PlacedRule rule = placement.rule(step.rule());
      if (rule != null && step.flowMod()) {
        moved.add(rule);
      }
    }
    double before = hardwareWeight(moved, placement);
    List<Runnable> undos = new ArrayList<>();
    try {
      plan.steps().forEach(step -> undos.add(placement.apply(step, 0)));
      return hardwareWeight(moved, placement) - before;
    } finally {
      for (int i = undos.size() - 1; i >= 0; i--) {
        undos.get(i).run();
      }
    }
  }

  private static double hardwareWeight(Set<PlacedRule> rules, Placement placement) {
    double weight = 0;
    for (PlacedRule rule : rules) {
      boolean inHardware =
          rule.home < placement.controller()
              && placement.layers.get(rule.home).profile.kind() == LayerKind.HARDWARE;
      weight += inHardware && rule.live ? rule.weight : 0;
    }
    return weight;
  }
}
