package io.lockstep.placer.choice;

import java.util.Arrays;

/**
 * A set of rules for a layer, and its cost: the rules, and one cover for each rule above that is
 * not in the set. Every change can be undone. The set may exceed the capacity for a while. Owned by
 * one thread.
 */
public final class Selection {
  private final LayerProblem problem;
  private final boolean[] in;

  /** For each rule, the number of rules of the set that it overlaps from above. */
  private final int[] needs;

  private long used;
  private double weight;
  private int count;

  /** Rules put in (their number) and taken out (its complement), for {@link #undoTo}. */
  private int[] history = new int[64];

  private int changes;

  public Selection(LayerProblem problem) {
    this.problem = problem;
    in = new boolean[problem.size()];
    needs = new int[problem.size()];
  }

  public LayerProblem problem() {
    return problem;
  }

  public boolean contains(int rule) {
    return in[rule];
  }

  /** Whether an entry for the rule, itself or its cover, is paid for already. */
  boolean paid(int rule) {
    return in[rule] || (needs[rule] > 0 && problem.units(rule) > 0 && problem.covers());
  }

  /** Whether some rule of the set depends on this one. */
  boolean needed(int rule) {
    return needs[rule] > 0;
  }

  /** Whether a rule of the set depends on another one. */
  boolean needs(int rule, int above) {
    return Arrays.binarySearch(problem.above(rule), above) >= 0;
  }

  /** Units used. */
  public long used() {
    return used;
  }

  /** Traffic served. */
  public double weight() {
    return weight;
  }

  long free() {
    return problem.capacity() - used;
  }

  /**
   * The least units of a rule with all that it needs: itself and an entry for each rule above.
   *
   * @param limit beyond which the result need not be exact
   */
  long leastCost(int rule, long limit) {
    long cost = paid(rule) ? 0 : problem.units(rule);
    for (int above : problem.above(rule)) {
      if (cost > limit) {
        break;
      }
      cost += paid(above) ? 0 : problem.units(above);
    }
    return cost;
  }

  /** The rules in ascending order of their numbers. */
  public int[] rules() {
    int[] rules = new int[count];
    int n = 0;
    for (int i = 0; i < in.length; i++) {
      if (in[i]) {
        rules[n++] = i;
      }
    }
    return rules;
  }

  /** Whether {@code above} cannot be covered for the sake of {@code rule}. */
  boolean blocks(int above, int rule) {
    return !problem.covers() || (problem.units(above) == 0 && problem.pieceUnits(above, rule) == 0);
  }

  /** Puts a rule in; the rules that block it must be in already. */
  public void put(int rule) {
    if (!paid(rule)) {
      used += problem.units(rule);
    }
    in[rule] = true;
    weight += problem.weight(rule);
    count++;
    for (int above : problem.above(rule)) {
      if (!in[above]) {
        used += coverUnits(above, rule);
      }
      needs[above]++;
    }
    note(rule);
  }

  /** Removes a rule; no rule that it blocks may be in. */
  public void take(int rule) {
    for (int above : problem.above(rule)) {
      needs[above]--;
      if (!in[above]) {
        used -= coverUnits(above, rule);
      }
    }
    in[rule] = false;
    weight -= problem.weight(rule);
    count--;
    if (!paid(rule)) {
      used -= problem.units(rule);
    }
    note(~rule);
  }

  /**
   * The units that one more rule below costs for {@code above}, before it is counted in {@link
   * #needs}.
   */
  private int coverUnits(int above, int rule) {
    if (!problem.covers()) {
      return 0;
    }
    int units = problem.units(above);
    if (units > 0) {
      return needs[above] == 0 ? units : 0;
    }
    return problem.pieceUnits(above, rule);
  }

  private void note(int change) {
    if (changes == history.length) {
      history = Arrays.copyOf(history, 2 * changes);
    }
    history[changes++] = change;
  }

  /** A mark of the present state, for {@link #undoTo}. */
  int mark() {
    return changes;
  }

  void undoTo(int mark) {
    while (changes > mark) {
      int change = history[changes - 1];
      if (change >= 0) {
        take(change);
      } else {
        put(~change);
      }
      changes -= 2; // the undo itself was recorded, too
    }
    // Sums of floating-point numbers drift with every undo; an empty set weighs 0.
    if (count == 0) {
      weight = 0;
    }
  }

  /** The rules that were put in since a mark and are still in, in this order. */
  int[] putSince(int mark) {
    boolean onlyPut = true;
    for (int i = mark; i < changes; i++) {
      onlyPut &= history[i] >= 0;
    }
    if (onlyPut) { // the usual case, and frequent
      return Arrays.copyOfRange(history, mark, changes);
    }
    return Arrays.stream(history, mark, changes).filter(c -> c >= 0 && in[c]).distinct().toArray();
  }

  /** The rules that were removed since a mark and are still out. */
  int[] takenSince(int mark) {
    return Arrays.stream(history, mark, changes)
        .filter(c -> c < 0 && !in[~c])
        .map(c -> ~c)
        .distinct()
        .toArray();
  }
}
