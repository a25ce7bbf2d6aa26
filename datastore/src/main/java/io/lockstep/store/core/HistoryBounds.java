package io.lockstep.store.core;

/**
 * How many changes the store keeps for {@link io.lockstep.store.Command.ReadChanges}. The same on
 * every replica.
 *
 * @param changesPerTable the newest changes of each table, a power of two
 * @param bytesPerTable bytes of those changes, at most
 * @param bytesInAll bytes of the changes of all tables together; beyond it the store drops the
 *     oldest changes until an eighth is free
 */
record HistoryBounds(int changesPerTable, long bytesPerTable, long bytesInAll) {
  static final HistoryBounds STANDARD = new HistoryBounds(8192, 4L << 20, 64L << 20);

  HistoryBounds {
    if (Integer.bitCount(changesPerTable) != 1) {
      throw new IllegalArgumentException("not a power of two: " + changesPerTable);
    }
  }
}
