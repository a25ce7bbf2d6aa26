package io.lockstep.bench.placer;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The optimum of a small problem: the heaviest of all subsets of the rules that fits together with
 * its cheapest covers of single rules. Packets that the same rules match are one atom, and of it
 * only the entry with the highest priority counts: that of its winner, or a cover. One thread.
 */
final class BestSubset {
  /** The most rules. */
  static final int MOST_RULES = 18;

  private final ReferenceProblem problem;

  /** Each with a bit for each rule that matches its packets; bit 0 is the highest priority. */
  private final List<Integer> atoms = new ArrayList<>();

  /** The traffic of a rule and of all below it. */
  private final double[] rest;

  private double bestWeight = -1;
  private int bestRules;
  private int bestCovers;

  private BestSubset(ReferenceProblem problem) {
    this.problem = problem;
    rest = new double[problem.size() + 1];
    for (int i = problem.size() - 1; i >= 0; i--) {
      rest[i] = rest[i + 1] + problem.weight(i);
    }
  }

  /** The optimum of a problem of up to {@value #MOST_RULES} rules. */
  static ReferenceChoice of(ReferenceProblem problem) {
    if (problem.size() > MOST_RULES) {
      throw new IllegalArgumentException(problem.size() + " rules are more than " + MOST_RULES);
    }
    BestSubset search = new BestSubset(problem);
    search.findAtoms(0, 0, null, new ArrayList<>());
    search.decide(0, 0, 0, 0);
    return new ReferenceChoice(problem, bits(search.bestRules), bits(search.bestCovers));
  }

  private static BitSet bits(int mask) {
    return BitSet.valueOf(new long[] {mask});
  }

  /**
   * Finds the sets of rules that together match a packet that no other rule matches.
   *
   * @param inside packets that all rules of the mask match; null for all packets
   * @param outside what the rules left out match
   */
  private void findAtoms(int rule, int mask, @Nullable Cube inside, List<Cube> outside) {
    if (inside != null && !inside.remains(outside, Integer.MAX_VALUE)) {
      return;
    }
    if (rule == problem.size()) {
      if (mask != 0) {
        atoms.add(mask);
      }
      return;
    }
    Cube cube = problem.cube(rule);
    Cube both = inside == null ? cube : inside.both(cube);
    if (both != null) {
      findAtoms(rule + 1, mask | 1 << rule, both, outside);
    }
    outside.add(cube);
    findAtoms(rule + 1, mask, inside, outside);
    outside.remove(outside.size() - 1);
  }

  /**
   * Decides on one rule after the other, from the highest priority. What is above a rule is decided
   * on before it, and a set that is too large with its covers stays so with any rule added.
   */
  private void decide(int rule, int chosen, long used, double weight) {
    if (weight > bestWeight) {
      bestWeight = weight;
      bestRules = chosen;
      bestCovers = coversOf(chosen, problem.capacity() - used);
    }
    if (rule == problem.size() || weight + rest[rule] <= bestWeight) {
      return;
    }
    int units = problem.units(rule);
    int more = chosen | 1 << rule;
    if (units > 0
        && used + units <= problem.capacity()
        && coversOf(more, problem.capacity() - used - units) >= 0) {
      decide(rule + 1, more, used + units, weight + problem.weight(rule));
    }
    decide(rule + 1, chosen, used, weight);
  }

  /** The cheapest covers that make a choice exact; -1 where they take more than the units. */
  private int coversOf(int chosen, long units) {
    int[] wrong = new int[atoms.size()];
    int count = 0;
    for (int atom : atoms) {
      int served = atom & chosen;
      int first = Integer.lowestOneBit(served);
      if (first != 0 && first != Integer.lowestOneBit(atom)) {
        int candidates = atom & (first - 1);
        wrong[count++] = candidates;
      }
    }
    if (count > 0 && !problem.isCovering()) {
      return -1;
    }
    return cheapest(wrong, count, 0, 0, new Bound(units, -1)).covers;
  }

  /** The best covers found so far, and the units that better ones may take. */
  private static final class Bound {
    long units;
    int covers;

    Bound(long units, int covers) {
      this.units = units;
      this.covers = covers;
    }
  }

  private Bound cheapest(int[] wrong, int count, int covers, long used, Bound best) {
    if (used > best.units) {
      return best;
    }
    int fewest = 0;
    for (int i = 0; i < count; i++) {
      boolean open = (wrong[i] & covers) == 0;
      if (open && (fewest == 0 || Integer.bitCount(wrong[i]) < Integer.bitCount(fewest))) {
        fewest = wrong[i];
      }
    }
    if (fewest == 0) {
      best.units = used - 1; // only what is cheaper is of interest
      best.covers = covers;
      return best;
    }
    for (int left = fewest; left != 0; left &= left - 1) {
      int units = problem.units(Integer.numberOfTrailingZeros(left));
      if (units > 0) {
        cheapest(wrong, count, covers | Integer.lowestOneBit(left), used + units, best);
      }
    }
    return best;
  }
}
