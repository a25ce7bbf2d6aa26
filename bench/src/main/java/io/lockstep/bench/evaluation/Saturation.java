package io.lockstep.bench.evaluation;

import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/** Doubles the flows of a curve until that gains less than five per cent. Used by one thread. */
final class Saturation {
  /** The first count: fewer flows never saturate a store. */
  static final int FIRST = 64;

  /** The last count that is looked at. */
  static final int LAST = 4096;

  private static final double GAIN = 1.05;

  private final SortedMap<Integer, Double> rates = new TreeMap<>();

  /** A measured rate. */
  void add(int flows, double flowsPerSecond) {
    rates.put(flows, flowsPerSecond);
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
      if ((before != null && rate < before * GAIN) || flows >= LAST) {
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
