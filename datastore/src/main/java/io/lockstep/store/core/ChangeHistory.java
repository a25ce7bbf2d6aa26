package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** The newest changes of one table, oldest first, in a ring that grows up to its bound. */
final class ChangeHistory {
  /** What a change takes in memory besides its key and value, about. */
  private static final long OVERHEAD_BYTES = 64;

  private final HistoryBounds bounds;
  private final HistoryTotal total;
  private @Nullable Change[] ring = new @Nullable Change[16];
  private int first;
  private int size;
  private long bytes;

  /** Index of the newest change that was dropped; 0 where none was. Never goes back. */
  private long droppedUpTo;

  /**
   * An empty history.
   *
   * @param droppedUpTo 0, or what a snapshot tells, whose changes are added next
   */
  ChangeHistory(HistoryBounds bounds, HistoryTotal total, long droppedUpTo) {
    this.bounds = bounds;
    this.total = total;
    this.droppedUpTo = droppedUpTo;
  }

  /** Adds the newest change. */
  void add(Change change) {
    if (size == bounds.changesPerTable()) {
      dropOldest();
    } else if (size == ring.length) {
      grow();
    }
    ring[(first + size) & (ring.length - 1)] = change;
    size++;
    bytes += bytesOf(change);
    total.add(bytesOf(change));
    while (bytes > bounds.bytesPerTable()) {
      dropOldest();
    }
  }

  private void grow() {
    @Nullable Change[] grown = Arrays.copyOf(ring, 2 * ring.length);
    // The ring is full: what wrapped to its beginning continues behind its old end.
    System.arraycopy(grown, 0, grown, ring.length, first);
    Arrays.fill(grown, 0, first, null);
    ring = grown;
  }

  void dropOldest() {
    Change oldest = get(0);
    ring[first] = null;
    first = (first + 1) & (ring.length - 1);
    size--;
    bytes -= bytesOf(oldest);
    total.add(-bytesOf(oldest));
    droppedUpTo = oldest.index();
  }

  Change get(int position) {
    Change change = ring[(first + position) & (ring.length - 1)];
    if (position >= size || change == null) {
      throw new IllegalStateException("no change at " + position + " of " + size);
    }
    return change;
  }

  int size() {
    return size;
  }

  long bytes() {
    return bytes;
  }

  long droppedUpTo() {
    return droppedUpTo;
  }

  /** Position of the first change with an index above {@code index}; {@link #size} if none. */
  int firstAfter(long index) {
    if (size == 0 || get(size - 1).index() <= index) {
      return size;
    }
    int low = 0;
    int high = size - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (get(middle).index() > index) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  static long bytesOf(Change change) {
    Bytes value = change.value();
    return OVERHEAD_BYTES + change.key().length() + (value == null ? 0 : value.length());
  }
}
