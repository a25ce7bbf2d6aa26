package io.lockstep.placer;

import java.util.List;

/**
 * The steps that make a change. The owner sends them in this order, and waits for the switch to
 * confirm each before the next. Between any two of them the switch behaves as one logical table.
 * Valid until the placer confirms a step of another plan.
 *
 * @param change the requested change
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
