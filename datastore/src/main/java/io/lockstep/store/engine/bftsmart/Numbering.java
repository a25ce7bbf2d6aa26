package io.lockstep.store.engine.bftsmart;

/**
 * The library's numbers for the instances of one era. Instances are counted in 64 bits and never
 * start again; the library counts in 32. So every {@code perEra} instances form an era, and the
 * library's numbers start again with each era (docs/adr/0006).
 *
 * <p>Two successive eras share no number, so a leftover of the previous era cannot pass for one of
 * this era. The number before the first names the last decision of the previous era.
 *
 * @param perEra instances in an era, 1 to {@link #MOST}; the same on every replica
 * @param era from 0
 */
record Numbering(long perEra, long era) {

  /**
   * The longest era: the highest number, and what the library adds to it, still fit into 32 bits.
   * It lasts about six days at a thousand instances each second.
   */
  static final long MOST = 1L << 29;

  Numbering {
    if (perEra < 1 || perEra > MOST || era < 0) {
      throw new IllegalArgumentException("era " + era + " of " + perEra + " instances");
    }
  }

  /** The era of an instance. */
  static Numbering of(long perEra, long instance) {
    return new Numbering(perEra, instance / perEra);
  }

  /** The first instance. */
  long first() {
    return era * perEra;
  }

  /** The last instance. */
  long last() {
    return first() + perEra - 1;
  }

  /** Whether an instance is of this era. */
  boolean covers(long instance) {
    return instance >= first() && instance <= last();
  }

  /** Whether a number names an instance of this era. */
  boolean names(int number) {
    return number >= firstNumber() && number < firstNumber() + perEra;
  }

  /**
   * The number of an instance of this era, or of the last one before it; -1 if there is none before
   * it.
   */
  int number(long instance) {
    if (instance != first() - 1 && !covers(instance)) {
      throw new IllegalArgumentException("instance " + instance + " is not of " + this);
    }
    return (int) (instance - first() + firstNumber());
  }

  /** The instance of a number. */
  long instance(int number) {
    return number - firstNumber() + first();
  }

  private long firstNumber() {
    if (era == 0) {
      return 0;
    }
    return era % 2 == 0 ? 1 : perEra + 2;
  }
}
