package io.lockstep.placer.choice;

import java.util.Arrays;
import java.util.Comparator;

/**
 * The policy of a safe controller that decides when a rule arrives, and knows no traffic. It puts
 * the rule in if there is room, and if all earlier rules above it are in. If it does not put the
 * rule in, it removes the rules that this one overlaps from above.
 */
final class FirstCome {
  private final LayerProblem problem;
  private final boolean[] came;
  private final boolean[] in;
  private long used;

  private FirstCome(LayerProblem problem) {
    this.problem = problem;
    came = new boolean[problem.size()];
    in = new boolean[problem.size()];
  }

  static Selection choose(LayerProblem problem) {
    FirstCome choice = new FirstCome(problem);
    Integer[] order = new Integer[problem.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(problem::arrival));
    for (int rule : order) {
      choice.comes(rule);
    }
    Selection selection = new Selection(problem);
    for (int rule = 0; rule < problem.size(); rule++) {
      if (choice.in[rule]) {
        selection.put(rule);
      }
    }
    return selection;
  }

  private void comes(int rule) {
    came[rule] = true;
    int units = problem.units(rule);
    boolean goesIn = units > 0 && used + units <= problem.capacity();
    if (goesIn) {
      for (int above : problem.above(rule)) {
        goesIn &= in[above] || !came[above];
      }
      goesIn &= problem.candidate(rule);
    }
    if (goesIn) {
      in[rule] = true;
      used += units;
    } else {
      leaveBelow(rule);
    }
  }

  private void leaveBelow(int rule) {
    for (int below : problem.below(rule)) {
      if (in[below]) {
        in[below] = false;
        used -= problem.units(below);
        leaveBelow(below);
      }
    }
  }
}
