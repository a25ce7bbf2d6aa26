package io.lockstep.placer.choice;

import java.util.Arrays;

/** The ways to put a rule into a selection together with the rules and covers that it needs. */
public enum Grouping {
  /** Covers for all rules above; only rules that cannot be covered are selected, too. */
  COVERS,
  /** All rules above are selected, too, and all rules above these. */
  CLOSURE,
  /** Covers, except for rules that are worth their own entry. */
  CHEAPER;

  /** The most covers that are examined for one rule. */
  private static final int LOOKED_AT = 16;

  /** The most rules in the closure of one rule. */
  private static final int LARGEST = 4096;

  /**
   * Puts {@code rule} in with all that it needs, also beyond the capacity.
   *
   * @return false if the layer cannot hold it; the selection is then unchanged
   */
  boolean put(Selection selection, int rule) {
    int mark = selection.mark();
    long used = selection.used();
    double weight = selection.weight();
    if (!putClosed(selection, rule, mark)) {
      selection.undoTo(mark);
      return false;
    }
    if (this == CHEAPER && selection.problem().covers()) {
      bringAlong(selection, mark, used, weight);
    }
    return true;
  }

  /** Puts in all rules that must be selected, too, and then the rule. */
  private boolean putClosed(Selection selection, int rule, int mark) {
    LayerProblem problem = selection.problem();
    int[] all = problem.above(rule);
    if (!problem.candidate(rule) || selection.mark() - mark > LARGEST) {
      return false;
    }
    for (int above : all) {
      boolean together = this == CLOSURE || selection.blocks(above, rule);
      if (together && !selection.contains(above) && !putClosed(selection, above, mark)) {
        return false;
      }
    }
    // Two rules above may have the same rule above them.
    if (!selection.contains(rule)) {
      selection.put(rule);
    }
    return true;
  }

  /**
   * Replaces covers by their rules if these cost nothing more, or are worth more than the group so
   * far.
   */
  private void bringAlong(Selection selection, int mark, long usedBefore, double weightBefore) {
    boolean again = true;
    for (int round = 0; again && round < LOOKED_AT; round++) {
      again = false;
      for (int above : heaviestCovered(selection, mark)) {
        int here = selection.mark();
        long used = selection.used();
        double weight = selection.weight();
        if (selection.contains(above)) {
          continue;
        }
        double density = (weight - weightBefore) / Math.max(1, used - usedBefore);
        boolean held = putClosed(selection, above, here);
        long more = selection.used() - used;
        if (held && (more <= 0 || (selection.weight() - weight) / more > density)) {
          again = true;
        } else {
          selection.undoTo(here);
        }
      }
    }
  }

  /**
   * The heaviest covered rules above those that were put in since a mark, in descending order of
   * weight.
   */
  private static int[] heaviestCovered(Selection selection, int mark) {
    LayerProblem problem = selection.problem();
    int[] heaviest = new int[LOOKED_AT];
    int count = 0;
    for (int member : selection.putSince(mark)) {
      for (int above : problem.above(member)) {
        if (!selection.contains(above) && problem.units(above) > 0) {
          count = insert(heaviest, count, above, problem);
        }
      }
    }
    return Arrays.copyOf(heaviest, count);
  }

  /** Inserts a rule by its weight unless it is in the list; may drop the last one. */
  private static int insert(int[] rules, int count, int rule, LayerProblem problem) {
    double weight = problem.weight(rule);
    int at = count;
    while (at > 0 && problem.weight(rules[at - 1]) < weight) {
      at--;
    }
    for (int i = at - 1; i >= 0 && problem.weight(rules[i]) == weight; i--) {
      if (rules[i] == rule) {
        return count;
      }
    }
    if (at == rules.length) {
      return count;
    }
    int kept = Math.min(count, rules.length - 1);
    System.arraycopy(rules, at, rules, at + 1, kept - at);
    rules[at] = rule;
    return kept + 1;
  }
}
