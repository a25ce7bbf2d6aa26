package io.lockstep.store.core;

/**
 * How much of the past the store keeps for {@link io.lockstep.store.Command.ReadChanges}. The same
 * on every replica.
 *
 * @param changesPerTable the newest changes of each table, a power of two
 * @param bytesPerTable at most so many bytes of them
 * @param bytesInAll bytes of all tables together; past it the oldest changes go until an eighth is
 *     free
 */
record HistoryBounds(int changesPerTable, long bytesPerTable, long bytesInAll) {
  static final HistoryBounds STANDARD = new HistoryBounds(8192, 4L << 20, 64L << 20);

  HistoryBounds {
    if (Integer.bitCount(changesPerTable) != 1) {
      throw new IllegalArgumentException("not a power of two: " + changesPerTable);
    }
  }
}
