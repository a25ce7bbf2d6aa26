package io.lockstep.placer;

import java.util.List;

/**
 * How a change is made. The steps are sent in this order, each confirmed by the switch before the
 * next; at every point in between the switch is one logical table. Valid until the placer confirms
 * a step of another plan.
 *
 * @param change what was wanted
 * @param steps in order
 */
public record Plan(Change change, List<Step> steps) implements Outcome {
  public Plan {
    steps = List.copyOf(steps);
  }

  /** Messages to the switch. */
  public int flowMods() {
    int count = 0;
    for (Step step : steps) {
      count += step.flowMod() ? 1 : 0;
    }
    return count;
  }
}
