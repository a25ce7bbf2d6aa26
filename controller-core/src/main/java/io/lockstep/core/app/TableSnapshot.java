package io.lockstep.core.app;

import io.lockstep.store.Entry;
import java.util.List;

/**
 * The entries of a range as they were at one moment. It is one linearizable read of the store: it
 * has every write that was acknowledged before the node was asked, whichever node wrote it. Two
 * snapshots may show two moments.
 *
 * @param entries in the order of their keys
 * @param isComplete whether these are all entries of the range; else they are its first: {@link
 *     #MAX_ENTRIES}, or some 1 MiB
 */
public record TableSnapshot(TableRange range, List<Entry> entries, boolean isComplete) {
  /** Entries at most: those of one scan. */
  public static final int MAX_ENTRIES = 10_000;

  public TableSnapshot {
    entries = List.copyOf(entries);
  }
}
