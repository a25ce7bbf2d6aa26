package io.lockstep.store.engine.bftsmart.library;

/**
 * The hash code of a proposed value in a regency.
 *
 * <p>What the library does wrong: it makes a number of a whole batch and takes its lowest digits,
 * for a set that holds one value a regency.
 */
public final class ValueHash {
  private ValueHash() {}

  /** Stands in the library's {@code TimestampValuePair.hashCode}. */
  public static int of(int regency, byte[] value) {
    return 31 * regency + value.length;
  }
}
