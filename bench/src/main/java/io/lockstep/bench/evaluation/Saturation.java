package io.lockstep.bench.evaluation;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Doubles the flows of a curve until that gains less than five per cent. A count that seems to end
 * it is looked at once more, since one noisy second looks the same. Used by one thread.
 */
final class Saturation {
  /** The first count: fewer flows never saturate a store. */
  static final int FIRST = 64;

  /** The last count that is looked at. */
  static final int LAST = 4096;

  private static final double GAIN = 1.05;

  private static final int LOOKS = 2;

  private final SortedMap<Integer, Double> rates = new TreeMap<>();
  private final Map<Integer, Integer> looks = new HashMap<>();

  /** A measured rate; of several looks at one count the highest counts. */
  void add(int flows, double flowsPerSecond) {
    rates.merge(flows, flowsPerSecond, Math::max);
    looks.merge(flows, 1, Integer::sum);
  }

  /** How often a count was looked at. */
  int looks(int flows) {
    return looks.getOrDefault(flows, 0);
  }

  /** The count to be measured next; empty where the saturation is known. */
  OptionalInt next() {
    int flows = FIRST;
    Double before = null;
    while (true) {
      Double rate = rates.get(flows);
      if (rate == null) {
        return OptionalInt.of(flows);
      }
      if (before != null && rate < before * GAIN) {
        return looks(flows) < LOOKS ? OptionalInt.of(flows) : OptionalInt.empty();
      }
      if (flows >= LAST) {
        return OptionalInt.empty();
      }
      before = rate;
      flows *= 2;
    }
  }

  /**
   * The count with the highest rate among those that were doubled.
   *
   * @throws IllegalStateException where nothing was measured
   */
  int flows() {
    int best = 0;
    double highest = -1;
    for (int flows = FIRST; rates.containsKey(flows); flows *= 2) {
      if (rates.get(flows) > highest) {
        highest = rates.get(flows);
        best = flows;
      }
    }
    if (best == 0) {
      throw new IllegalStateException("no rate of " + FIRST + " flows");
    }
    return best;
  }
}
