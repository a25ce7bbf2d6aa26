package io.lockstep.placer.choice;

/**
 * Finds the best selection for one layer by branch and bound over all subsets, with the lists of
 * covers that the placer uses. It takes exponential time, so the product does without it; it is the
 * reference for the policies.
 */
public final class Exact {
  /** The most rules. */
  static final int MOST_RULES = 24;

  private final LayerProblem problem;
  private final Selection selection;

  /** The weight of each rule and all below it: a bound of the traffic that can still be added. */
  private final double[] rest;

  private int[] best = {};
  private double bestWeight = -1;

  private Exact(LayerProblem problem) {
    this.problem = problem;
    selection = new Selection(problem);
    rest = new double[problem.size() + 1];
    for (int rule = problem.size() - 1; rule >= 0; rule--) {
      rest[rule] = rest[rule + 1] + problem.weight(rule);
    }
  }

  /** The best selection of at most {@link #MOST_RULES} rules. */
  public static Selection choose(LayerProblem problem) {
    if (problem.size() > MOST_RULES) {
      throw new IllegalArgumentException(
          problem.size() + " rules; the exact solver takes " + MOST_RULES);
    }
    Exact exact = new Exact(problem);
    exact.decide(0);
    Selection selection = new Selection(problem);
    for (int rule : exact.best) {
      selection.put(rule);
    }
    return selection;
  }

  /**
   * Decides on one rule after the other from the highest priority down, so that all rules above a
   * rule are decided on before it. Adding a rule never frees units, so a set that is too large
   * stays so.
   */
  private void decide(int rule) {
    if (selection.weight() > bestWeight) {
      bestWeight = selection.weight();
      best = selection.rules();
    }
    if (rule == problem.size() || selection.weight() + rest[rule] <= bestWeight) {
      return;
    }
    if (allowed(rule)) {
      int mark = selection.mark();
      selection.put(rule);
      if (selection.free() >= 0) {
        decide(rule + 1);
      }
      selection.undoTo(mark);
    }
    decide(rule + 1);
  }

  private boolean allowed(int rule) {
    if (problem.units(rule) == 0) {
      return false;
    }
    for (int above : problem.above(rule)) {
      if (!selection.contains(above) && selection.blocks(above, rule)) {
        return false;
      }
    }
    return true;
  }
}
