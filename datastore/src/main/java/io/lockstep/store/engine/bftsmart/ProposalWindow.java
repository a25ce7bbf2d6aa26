package io.lockstep.store.engine.bftsmart;

import java.util.TreeMap;

/**
 * Which consensus messages a replica keeps that come before their time. The library would keep any
 * number of them; here those far ahead of the log are dropped, because what lies between has to be
 * fetched anyway, and they with it. Bounded in instances and in bytes. Not thread-safe.
 */
final class ProposalWindow {
  /** So many instances after the last in the log. Each has one proposal. */
  static final int INSTANCES = 64;

  /** Bytes of what is kept that comes before its time, about; the next in turn is always kept. */
  static final long BYTES = 8 << 20;

  /** Bytes kept for each instance that is ahead. */
  private final TreeMap<Long, Long> ahead = new TreeMap<>();

  private long aheadBytes;
  private boolean outpaced;

  /**
   * Whether to keep a message, where the log ends with {@code last}.
   *
   * @param bytes that it takes
   */
  boolean admits(long instance, long bytes, long last) {
    while (!ahead.isEmpty() && ahead.firstKey() <= last) {
      aheadBytes -= ahead.pollFirstEntry().getValue();
    }
    if (instance <= last + 1) {
      return true;
    }
    boolean admitted = instance <= last + INSTANCES && aheadBytes + bytes <= BYTES;
    if (admitted) {
      ahead.merge(instance, bytes, Long::sum);
      aheadBytes += bytes;
    }
    outpaced |= !admitted;
    return admitted;
  }

  /**
   * Whether messages were dropped since the last call. Those that come from now on are kept, as far
   * as the log has been moved on; so what was dropped is fetched once more, and nothing is missing.
   */
  boolean takeOutpaced() {
    boolean was = outpaced;
    outpaced = false;
    return was;
  }
}
