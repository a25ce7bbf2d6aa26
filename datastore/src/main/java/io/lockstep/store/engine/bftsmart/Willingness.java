package io.lockstep.store.engine.bftsmart;

import org.jspecify.annotations.Nullable;

/** How gladly a replica leads, the most willing first. Its beats say so (docs/adr/0029). */
enum Willingness {
  WILLING(0),
  /** Leads only where no willing replica takes part: its node is drained. */
  UNWILLING(1),
  /** Leads only where all others leave too: its process is about to end. */
  LEAVING(2);

  private final int number;

  Willingness(int number) {
    this.number = number;
  }

  /** Its number in a beat, of two bits; never changes. */
  int number() {
    return number;
  }

  /** The one with this number, or null. */
  static @Nullable Willingness numbered(int number) {
    for (Willingness one : values()) {
      if (one.number == number) {
        return one;
      }
    }
    return null;
  }

  /** Whether a replica of this willingness should lead rather than one of the other. */
  boolean before(Willingness other) {
    return number < other.number;
  }
}
