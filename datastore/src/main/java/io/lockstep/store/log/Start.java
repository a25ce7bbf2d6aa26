package io.lockstep.store.log;

/**
 * One start of a replica on its directory. Each start has a higher number than the one before. Two
 * starts from copies of one directory have the same number and differ by their nonces.
 *
 * @param number from 1; 0 where none is known
 * @param nonce random
 */
public record Start(long number, long nonce) {
  /** No start is known. */
  public static final Start NONE = new Start(0, 0);

  public Start {
    if (number < 0) {
      throw new IllegalArgumentException("start " + number);
    }
  }

  /** Whether this start is later than another one. */
  public boolean isAfter(Start other) {
    return number > other.number;
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
