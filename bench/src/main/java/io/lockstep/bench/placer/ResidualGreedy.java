package io.lockstep.bench.placer;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Greedy on residual dependencies, as a reference of any size: again and again the rule that serves
 * the most traffic for each unit, with what it needs. It needs only the rules above it that it
 * would take packets from: either those that win a packet in it, or those that come next above it
 * for a packet in it. Both kinds make the choice exact, and the cheaper one is taken: by covers, or
 * by the rules themselves with all that these need. One thread.
 */
final class ResidualGreedy {
  /** Rules in the closure of one rule; larger ones are not worth it. */
  private static final int LARGEST_CLOSURE = 512;

  /**
   * What a rule needs above it, by number.
   *
   * @param isHopeless whether more entries than there is room for, so that the lists are cut
   */
  private record Needs(int[] winners, int[] nearest, boolean isHopeless) {}

  private record Candidate(int rule, double density) {}

  /** A rule with all that it brings along. */
  private record Group(List<Integer> rules, List<Integer> covers, long units, double weight) {
    double density() {
      return units <= 0 ? Double.POSITIVE_INFINITY : weight / units;
    }
  }

  private final ReferenceProblem problem;
  private final BitSet rules = new BitSet();
  private final BitSet covers = new BitSet();
  private final Needs[] needs;
  private final double[] offered;
  private final List<List<Integer>> neededBy = new ArrayList<>();
  private final PriorityQueue<Candidate> queue =
      new PriorityQueue<>(
          Comparator.comparingDouble(Candidate::density)
              .reversed()
              .thenComparingInt(Candidate::rule));
  private long free;

  private ResidualGreedy(ReferenceProblem problem) {
    this.problem = problem;
    needs = new Needs[problem.size()];
    offered = new double[problem.size()];
    free = problem.capacity();
    for (int i = 0; i < problem.size(); i++) {
      neededBy.add(new ArrayList<>());
    }
  }

  /** What greedy chooses. */
  static ReferenceChoice of(ReferenceProblem problem) {
    ResidualGreedy greedy = new ResidualGreedy(problem);
    greedy.run();
    return new ReferenceChoice(problem, greedy.rules, greedy.covers);
  }

  private void run() {
    for (int i = 0; i < problem.size(); i++) {
      offer(i, hoped(i));
    }
    for (Candidate head = queue.poll(); head != null; head = queue.poll()) {
      int rule = head.rule;
      boolean paid = covers.get(rule);
      if (head.density != offered[rule]
          || rules.get(rule)
          || (!paid && problem.units(rule) > free)) {
        continue;
      }
      Group group = best(rule);
      if (group == null) {
        continue; // it does not fit, and is offered again when an entry that it needs is there
      }
      Candidate next = queue.peek();
      if (next != null && group.density() < next.density) {
        offer(rule, group.density());
      } else {
        take(group);
      }
    }
  }

  private double hoped(int rule) {
    boolean paid = covers.get(rule);
    return problem.units(rule) == 0 || problem.weight(rule) == 0
        ? 0
        : paid ? Double.POSITIVE_INFINITY : problem.weight(rule) / problem.units(rule);
  }

  private void offer(int rule, double density) {
    if (density > 0) {
      offered[rule] = density;
      queue.add(new Candidate(rule, density));
    }
  }

  private void take(Group group) {
    free -= group.units;
    for (int cover : group.covers) {
      covers.set(cover);
    }
    for (int rule : group.rules) {
      rules.set(rule);
      covers.clear(rule);
    }
    List<Integer> entries = new ArrayList<>(group.rules);
    entries.addAll(group.covers);
    for (int entry : entries) {
      offer(entry, hoped(entry));
      for (int below : neededBy.get(entry)) {
        if (!rules.get(below)) {
          offer(below, hoped(below));
        }
      }
    }
  }

  /** The better way to put a rule in; null where none fits. */
  private @Nullable Group best(int rule) {
    Group best = null;
    for (Group group : new Group[] {covered(rule), closed(rule)}) {
      boolean fits = group != null && group.units <= free;
      if (fits && (best == null || group.density() > best.density())) {
        best = group;
      }
    }
    return best;
  }

  private boolean isEntry(int rule) {
    return rules.get(rule) || covers.get(rule);
  }

  /** The rule with covers of the fewest rules above it. */
  private @Nullable Group covered(int rule) {
    Needs needed = needs(rule);
    if (needed.isHopeless) {
      return null;
    }
    List<Integer> winners = missing(needed.winners);
    List<Integer> nearest = missing(needed.nearest);
    List<Integer> fewer = units(winners) < units(nearest) ? winners : nearest;
    boolean possible =
        problem.isCovering() && fewer.stream().allMatch(one -> problem.units(one) > 0);
    if (!possible && !fewer.isEmpty()) {
      return null;
    }
    return group(List.of(rule), fewer);
  }

  /** The rule with the rules that win a packet in it, and with those that they need. */
  private @Nullable Group closed(int rule) {
    List<Integer> all = new ArrayList<>();
    BitSet seen = new BitSet();
    Deque<Integer> open = new ArrayDeque<>(List.of(rule));
    seen.set(rule);
    while (!open.isEmpty()) {
      int one = open.remove();
      if (problem.units(one) == 0 || all.size() >= LARGEST_CLOSURE || needs(one).isHopeless) {
        return null;
      }
      all.add(one);
      for (int above : missing(needs(one).winners)) {
        if (!seen.get(above)) {
          seen.set(above);
          open.add(above);
        }
      }
    }
    return group(all, List.of());
  }

  private Group group(List<Integer> added, List<Integer> covering) {
    double weight = 0;
    for (int rule : added) {
      weight += problem.weight(rule);
    }
    return new Group(added, covering, units(added) + units(covering), weight);
  }

  private long units(List<Integer> entries) {
    long units = 0;
    for (int entry : entries) {
      units += isEntry(entry) ? 0 : problem.units(entry);
    }
    return units;
  }

  private List<Integer> missing(int[] wanted) {
    List<Integer> missing = new ArrayList<>();
    for (int one : wanted) {
      if (!isEntry(one)) {
        missing.add(one);
      }
    }
    return missing;
  }

  private Needs needs(int rule) {
    Needs known = needs[rule];
    if (known == null) {
      known = find(rule);
      needs[rule] = known;
      for (int above : known.winners) {
        neededBy.get(above).add(rule);
      }
      for (int above : known.nearest) {
        neededBy.get(above).add(rule);
      }
    }
    return known;
  }

  private Needs find(int rule) {
    int[] above = problem.above(rule);
    int[] winners = new int[above.length];
    int[] nearest = new int[above.length];
    int winning = 0;
    int near = 0;
    for (int i = 0; i < above.length && Math.min(winning, near) <= problem.capacity(); i++) {
      Cube both = problem.cube(above[i]).both(problem.cube(rule));
      if (both != null && problem.remains(both, above, 0, i)) {
        winners[winning++] = above[i];
      }
      if (both != null && problem.remains(both, above, i + 1, above.length)) {
        nearest[near++] = above[i];
      }
    }
    return new Needs(
        Arrays.copyOf(winners, winning),
        Arrays.copyOf(nearest, near),
        Math.min(winning, near) > problem.capacity());
  }
}
