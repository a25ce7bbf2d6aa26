package io.lockstep.placer.choice;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Improves a selection by exchanges: puts a rule in with all that it needs, removes the rules of
 * least worth, and fills the free room. Every accepted exchange serves more traffic than before by
 * a threshold. The number of looks bounds the effort, not a time, so that equal inputs give equal
 * results.
 */
public final class Exchange {
  /**
   * One exchange.
   *
   * @param out rules taken out
   * @param in rules put in, in the order of descending priority
   * @param gain traffic
   */
  public record Swap(int[] out, int[] in, double gain) {}

  private final Selection selection;
  private final LayerProblem problem;
  private final double threshold;
  private long looks;

  private static final int FEW = 256;

  /**
   * A group that needs more units than this, and more than a quarter of the layer, is not put in.
   */
  private static final int FEW_UNITS = 32;

  /**
   * What comes along for nothing beside the present rules may be what keeps one of them in, so the
   * rule is tried without it, too.
   */
  private static final Grouping[] GROUPINGS = {Grouping.CHEAPER, Grouping.COVERS, Grouping.CLOSURE};

  /** The number of quick looks that count as one look. */
  private static final int LOOK = 16;

  private Exchange(Selection selection, double threshold, long looks) {
    this.selection = selection;
    this.problem = selection.problem();
    this.threshold = threshold;
    this.looks = looks;
  }

  /**
   * Makes exchanges until none gains enough, or until a bound.
   *
   * @param threshold the part of the moved traffic that an exchange must gain; it must gain more
   *     than 0 in any case
   * @param maxSwaps the most exchanges
   * @param maxLooks the most looks at rules
   */
  public static List<Swap> improve(
      Selection selection, double threshold, int maxSwaps, long maxLooks) {
    return new Exchange(selection, threshold, maxLooks).run(maxSwaps);
  }

  /**
   * Removes the rules of least worth until the selection is within its capacity.
   *
   * @return the removed rules, in the order of ascending priority
   */
  public static int[] fit(Selection selection) {
    int mark = selection.mark();
    Exchange exchange = new Exchange(selection, 0, Long.MAX_VALUE);
    while (selection.free() < 0) {
      Removal worst = exchange.worst(new BitSet());
      if (worst == null) {
        break;
      }
      exchange.takeOut(worst);
    }
    int[] out = selection.takenSince(mark);
    Arrays.sort(out);
    for (int i = 0; i < out.length / 2; i++) {
      int first = out[i];
      out[i] = out[out.length - 1 - i];
      out[out.length - 1 - i] = first;
    }
    return out;
  }

  private List<Swap> run(int maxSwaps) {
    List<Swap> swaps = new ArrayList<>();
    int[] order = byWeight();
    boolean again = true;
    while (again && swaps.size() < maxSwaps && looks > 0) {
      again = false;
      for (int rule : order) {
        if (swaps.size() >= maxSwaps || looks <= 0) {
          break;
        }
        int mark = selection.mark();
        double before = selection.weight();
        if (selection.contains(rule) ? renew(rule, order) : bringIn(rule, order)) {
          swaps.add(
              new Swap(
                  selection.takenSince(mark),
                  Arrays.stream(selection.putSince(mark)).sorted().toArray(),
                  selection.weight() - before));
          again = true;
        }
      }
    }
    return swaps;
  }

  /** The candidates: the heaviest rules, several times as many as there is room for. */
  private int[] byWeight() {
    return IntStream.range(0, problem.size())
        .filter(rule -> problem.units(rule) > 0)
        .boxed()
        .sorted(
            Comparator.<Integer>comparingDouble(problem::weight)
                .reversed()
                .thenComparing(rule -> rule))
        .limit(Math.min(problem.size(), FEW + 4 * problem.capacity()))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  /** Puts a rule in, and removes those of least worth. */
  private boolean bringIn(int rule, int[] order) {
    long most = Math.max(FEW_UNITS, problem.capacity() / 4);
    if (problem.units(rule) == 0 || selection.leastCost(rule, most) > most) {
      return false;
    }
    boolean broughtAlong = true;
    for (Grouping grouping : GROUPINGS) {
      if (grouping == Grouping.COVERS && !broughtAlong) {
        continue; // as before
      }
      int mark = selection.mark();
      double before = selection.weight();
      looks += -1 - problem.above(rule).length;
      BitSet keep = new BitSet();
      if (grouping.put(selection, rule)) {
        Arrays.stream(selection.putSince(mark)).forEach(keep::set);
        if (makeRoom(keep, before) && refill(order, keep) && better(mark, before)) {
          return true;
        }
      }
      selection.undoTo(mark);
      if (!problem.covers()) {
        return false; // all groupings are the same
      }
      broughtAlong = keep.cardinality() > 1;
    }
    return false;
  }

  /** Removes a rule, and checks whether others use the room better. */
  private boolean renew(int rule, int[] order) {
    int mark = selection.mark();
    double before = selection.weight();
    takeOut(rule);
    BitSet out = new BitSet();
    out.set(rule);
    if (refill(order, out) && better(mark, before)) {
      return true;
    }
    selection.undoTo(mark);
    return false;
  }

  private boolean better(int mark, double before) {
    double moved = 0;
    for (int rule : selection.takenSince(mark)) {
      moved += problem.weight(rule);
    }
    double gain = selection.weight() - before;
    return selection.free() >= 0 && gain > threshold * moved && gain > 1e-9 * Math.abs(before);
  }

  private boolean makeRoom(BitSet keep, double atLeast) {
    while (selection.free() < 0) {
      Removal worst = worst(keep);
      if (worst == null) {
        return false;
      }
      takeOut(worst);
      if (selection.weight() <= atLeast && selection.free() < 0) {
        return false;
      }
    }
    return true;
  }

  /** The removal that costs the least traffic per freed unit; null if there is none. */
  private @Nullable Removal worst(BitSet keep) {
    long excess = -selection.free();
    Removal worst = null;
    double least = Double.POSITIVE_INFINITY;
    for (int rule : selection.rules()) {
      if (looks <= 0) {
        break; // keeps the worst so far: this bound limits the time
      }
      if (keep.get(rule)) {
        continue;
      }
      boolean frees = false;
      for (int way = 0; way < 2 && !frees; way++) {
        looks--;
        Removal removal = new Removal(rule, way == 1);
        int mark = selection.mark();
        long used = selection.used();
        double weight = selection.weight();
        takeOut(removal);
        long freed = used - selection.used();
        double loss = weight - selection.weight();
        boolean keepsGroup = Arrays.stream(selection.takenSince(mark)).noneMatch(keep::get);
        selection.undoTo(mark);
        frees = freed > 0 || !selection.needed(rule);
        if (freed > 0 && keepsGroup && loss / Math.min(freed, excess) < least) {
          least = loss / Math.min(freed, excess);
          worst = removal;
        }
      }
    }
    return worst;
  }

  /**
   * What leaves at once.
   *
   * @param together whether rules below leave, too, for whose sake the rule's entry would stay
   */
  private record Removal(int rule, boolean together) {}

  private void takeOut(Removal removal) {
    if (removal.together) {
      takeOutBelow(removal.rule);
    }
    takeOut(removal.rule);
  }

  /** Removes a rule, and before it the rules that depend on it. */
  private void takeOut(int rule) {
    if (!problem.covers() && selection.needed(rule)) {
      takeOutBelow(rule);
    }
    selection.take(rule);
  }

  private void takeOutBelow(int rule) {
    for (int below : problem.below(rule)) {
      if (selection.contains(below) && selection.needs(below, rule)) {
        looks -= problem.above(below).length / LOOK; // a group may be most of the layer
        takeOut(below);
      }
    }
  }

  /** Fills the free room with the heaviest rules first; always true. */
  private boolean refill(int[] order, BitSet without) {
    int scanned = 0;
    for (int rule : order) {
      if (++scanned % LOOK == 0) {
        looks--;
      }
      if (!without.get(rule)
          && Greedy.mayFit(selection, rule)
          && selection.leastCost(rule, selection.free()) <= selection.free()) {
        looks -= 1 + problem.above(rule).length;
        int mark = selection.mark();
        if (!Grouping.CHEAPER.put(selection, rule) || selection.free() < 0) {
          selection.undoTo(mark);
        }
      }
      if (looks <= 0) {
        break;
      }
    }
    return true;
  }
}
