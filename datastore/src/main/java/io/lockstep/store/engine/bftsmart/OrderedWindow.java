package io.lockstep.store.engine.bftsmart;

/**
 * Records which of a client session's last {@value #SIZE} sequence numbers have been ordered. Older
 * ones count as ordered. Not thread-safe.
 */
final class OrderedWindow {

  /** A client must keep fewer requests outstanding than this. */
  static final int SIZE = 4096;

  private final long[] bits = new long[SIZE / 64];
  private int highest = -1;

  boolean contains(int sequence) {
    if (sequence > highest) {
      return false;
    }
    return sequence <= highest - SIZE || (bits[word(sequence)] & bit(sequence)) != 0;
  }

  void add(int sequence) {
    if (sequence <= highest - SIZE) {
      return;
    }
    if (sequence > highest) {
      if (highest < 0 || sequence - highest >= SIZE) {
        java.util.Arrays.fill(bits, 0);
      } else {
        for (int skipped = highest + 1; skipped < sequence; skipped++) {
          bits[word(skipped)] &= ~bit(skipped);
        }
      }
      highest = sequence;
    }
    bits[word(sequence)] |= bit(sequence);
  }

  void forget(int sequence) {
    if (sequence <= highest && sequence > highest - SIZE) {
      bits[word(sequence)] &= ~bit(sequence);
    }
  }

  private static int word(int sequence) {
    return (sequence & (SIZE - 1)) >>> 6;
  }

  private static long bit(int sequence) {
    return 1L << (sequence & 63);
  }
}
