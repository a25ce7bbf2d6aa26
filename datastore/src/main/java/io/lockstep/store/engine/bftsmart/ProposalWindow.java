package io.lockstep.store.engine.bftsmart;

import java.util.TreeMap;

/**
 * Decides which early consensus messages a replica keeps. The library would keep any number of
 * them. Here those far ahead of the log are dropped: this replica must fetch the decisions between
 * anyway, and fetches the dropped ones with them. Bounded in instances and bytes. Not thread-safe.
 */
final class ProposalWindow {
  /** How many instances after the last in the log are kept. Each has one proposal. */
  static final int INSTANCES = 64;

  /** About the most bytes of early messages. The next in turn is always kept. */
  static final long BYTES = 8 << 20;

  /** Bytes kept for each instance that is ahead. */
  private final TreeMap<Long, Long> ahead = new TreeMap<>();

  private long aheadBytes;
  private boolean outpaced;

  /**
   * Whether to keep a message, if the log ends with {@code last}.
   *
   * @param bytes of the message
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
   * Whether messages were dropped since the last call. Messages that arrive from now on are kept,
   * as far as the log has advanced. So fetching once more closes the gap.
   */
  boolean takeOutpaced() {
    boolean was = outpaced;
    outpaced = false;
    return was;
  }
}
