package io.lockstep.placer.choice;

import java.util.Arrays;

/** Puts a rule into a selection together with what it takes along. */
public enum Grouping {
  /** Covers for everything above; only what cannot be covered comes along. */
  COVERS,
  /** Everything above comes along, and everything above that. */
  CLOSURE,
  /** Covers, but what is worth its entry comes along itself. */
  CHEAPER;

  /** More covers than this are not looked at for one rule. */
  private static final int LOOKED_AT = 16;

  /** Rules that a closure brings along at most. */
  private static final int LARGEST = 4096;

  /**
   * Puts {@code rule} and its company in, whatever that takes.
   *
   * @return false where the layer cannot hold it; then the selection is as before
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

  /** Puts the rule in behind all that must come along. */
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
    // What is above something that is above may be the same.
    if (!selection.contains(rule)) {
      selection.put(rule);
    }
    return true;
  }

  /** Turns covers into rules where these are free, or worth more than the group so far. */
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

  /** The covered rules above what was put in since a mark, the heaviest first, and not too many. */
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

  /** Inserts a rule by its weight where it is not there yet; the last one may fall out. */
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
