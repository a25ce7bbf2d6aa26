package io.lockstep.placer.choice;

import java.util.Arrays;
import java.util.Comparator;
import java.util.PriorityQueue;

/** Fills a selection step by step, and never removes a rule from it. */
final class Greedy {
  /** The most rules below a new entry whose price is computed again. */
  private static final int LOOKED_AT_AGAIN = 256;

  private record Candidate(int rule, double density) {}

  private final Selection selection;
  private final LayerProblem problem;
  private final Grouping grouping;

  /** The best known density of each rule, its traffic per unit; the queue orders by it. */
  private final double[] density;

  private final PriorityQueue<Candidate> queue =
      new PriorityQueue<>(
          Comparator.comparingDouble(Candidate::density)
              .reversed()
              .thenComparingInt(Candidate::rule));

  private Greedy(Selection selection, Grouping grouping) {
    this.selection = selection;
    this.problem = selection.problem();
    this.grouping = grouping;
    this.density = new double[problem.size()];
  }

  /**
   * Selects again and again the rule that serves, together with the rules and covers that it needs,
   * the most traffic per unit. It computes a density when a rule reaches the head of the queue,
   * since most rules never do.
   */
  static void fill(Selection selection, Grouping grouping) {
    new Greedy(selection, grouping).run();
  }

  /** Selects each rule that still fits, with its covers, in the order of arrival. */
  static void fillInOrderOfArrival(Selection selection) {
    LayerProblem problem = selection.problem();
    Integer[] order = new Integer[problem.size()];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, Comparator.comparingLong(problem::arrival));
    for (int rule : order) {
      int mark = selection.mark();
      if (!mayFit(selection, rule)
          || selection.leastCost(rule, selection.free()) > selection.free()) {
        continue;
      }
      if (Grouping.COVERS.put(selection, rule) && selection.free() < 0) {
        selection.undoTo(mark);
      }
    }
  }

  /** A quick bound that ignores the rules above. */
  static boolean mayFit(Selection selection, int rule) {
    int units = selection.problem().units(rule);
    return units > 0
        && !selection.contains(rule)
        && (units <= selection.free() || selection.paid(rule));
  }

  private void run() {
    for (int rule = 0; rule < problem.size(); rule++) {
      if (problem.units(rule) > 0 && !selection.contains(rule)) {
        offer(rule, hoped(rule));
      }
    }
    for (Candidate head = queue.poll(); head != null; head = queue.poll()) {
      int rule = head.rule;
      if (head.density != density[rule] || !mayFit(selection, rule)) {
        continue;
      }
      long least = selection.leastCost(rule, selection.free());
      if (least > selection.free()) {
        density[rule] =
            problem.weight(rule) / least; // queued again when a rule above it is paid for
        continue;
      }
      int mark = selection.mark();
      long used = selection.used();
      double weight = selection.weight();
      if (!grouping.put(selection, rule)) {
        continue;
      }
      long units = selection.used() - used;
      double real = units <= 0 ? Double.POSITIVE_INFINITY : (selection.weight() - weight) / units;
      Candidate next = queue.peek();
      if (selection.free() < 0) {
        selection.undoTo(mark);
        density[rule] = real;
      } else if (next == null || real >= next.density) {
        lookAgainBelow(mark);
      } else {
        selection.undoTo(mark);
        offer(rule, real);
      }
    }
  }

  private double hoped(int rule) {
    return selection.paid(rule) ? Double.MAX_VALUE : problem.weight(rule) / problem.units(rule);
  }

  private void offer(int rule, double at) {
    density[rule] = at;
    queue.add(new Candidate(rule, at));
  }

  /** The rules below the new entries, and below their covers, may have become cheaper. */
  private void lookAgainBelow(int mark) {
    for (int put : selection.putSince(mark)) {
      lookAgainBelowOne(put);
      for (int above : problem.above(put)) {
        if (!selection.contains(above)) {
          lookAgainBelowOne(above);
        }
      }
    }
  }

  private void lookAgainBelowOne(int paid) {
    int[] below = problem.below(paid);
    if (below.length <= LOOKED_AT_AGAIN) {
      for (int rule : below) {
        if (problem.units(rule) > 0 && !selection.contains(rule) && density[rule] < hoped(rule)) {
          offer(rule, Math.min(hoped(rule), without(rule, problem.units(paid))));
        }
      }
    }
  }

  /** Raises a rule's density after it became cheaper by so many units. */
  private double without(int rule, int units) {
    double weight = problem.weight(rule);
    double cost = weight / density[rule] - units;
    return cost > 0 ? weight / cost : hoped(rule);
  }
}
