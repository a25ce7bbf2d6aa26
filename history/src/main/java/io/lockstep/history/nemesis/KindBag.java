package io.lockstep.history.nemesis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Draws kinds of faults so that every kind comes before one comes again. Used by one thread. */
final class KindBag {
  /** In their own order, so that equal seeds draw the same in every process. */
  private final List<FaultKind> kinds;

  private final Random random;
  private final List<FaultKind> bag = new ArrayList<>();
  private int drawn;

  /**
   * A bag.
   *
   * @param kinds at least one
   */
  KindBag(Collection<FaultKind> kinds, Random random) {
    this.kinds = kinds.stream().sorted().toList();
    this.random = random;
  }

  /** All kinds. */
  List<FaultKind> kinds() {
    return kinds;
  }

  FaultKind next() {
    if (bag.isEmpty()) {
      bag.addAll(kinds);
      Collections.shuffle(bag, random);
    }
    drawn++;
    return bag.remove(bag.size() - 1);
  }

  /** How many kinds have not come yet. */
  int missing() {
    return Math.max(0, kinds.size() - drawn);
  }
}
