package io.lockstep.store.engine.bftsmart;

/**
 * How the library numbers the instances of one era. Instances are counted in 64 bits and never
 * begin anew; the library counts in 32. So every {@code perEra} instances make an era, and the
 * library sees numbers that begin anew with each (docs/adr/0006).
 *
 * <p>Two eras in a row share no number, so one that is left over from the era before cannot be
 * taken for one of this. The number before the first names the last decision of the era before.
 *
 * @param perEra instances in an era, 1 to {@link #MOST}; the same on every replica
 * @param era from 0
 */
record Numbering(long perEra, long era) {

  /**
   * With it the highest number, and what the library adds to it, still fit into 32 bits. About six
   * days at a thousand instances each second.
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

  /** The number of an instance of this era, or of the one before it; -1 where there is none. */
  int number(long instance) {
    if (instance != first() - 1 && !covers(instance)) {
      throw new IllegalArgumentException("instance " + instance + " is not of " + this);
    }
    return (int) (instance - first() + firstNumber());
  }

  /** The instance that a number stands for. */
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
