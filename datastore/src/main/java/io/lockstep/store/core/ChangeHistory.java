package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * The newest changes of one table, oldest first, in a ring that grows up to its bound, and shrinks
 * where the changes of other tables leave it few: else a thousand empty histories would take 32
 * MiB.
 */
final class ChangeHistory {
  /** What a change takes in memory besides its key and value, about. */
  private static final long OVERHEAD_BYTES = 64;

  private static final int LEAST_PLACES = 16;

  private final HistoryBounds bounds;
  private final HistoryTotal total;
  private @Nullable Change[] ring = new @Nullable Change[LEAST_PLACES];
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
      resize(2 * ring.length);
    }
    ring[(first + size) & (ring.length - 1)] = change;
    size++;
    bytes += bytesOf(change);
    total.add(bytesOf(change));
    while (bytes > bounds.bytesPerTable()) {
      dropOldest();
    }
  }

  private void resize(int places) {
    @Nullable Change[] resized = new @Nullable Change[places];
    int toTheEnd = Math.min(size, ring.length - first);
    System.arraycopy(ring, first, resized, 0, toTheEnd);
    System.arraycopy(ring, 0, resized, toTheEnd, size - toTheEnd);
    ring = resized;
    first = 0;
  }

  void dropOldest() {
    Change oldest = get(0);
    ring[first] = null;
    first = (first + 1) & (ring.length - 1);
    size--;
    bytes -= bytesOf(oldest);
    total.add(-bytesOf(oldest));
    droppedUpTo = oldest.index();
    if (ring.length > LEAST_PLACES && size <= ring.length / 8) {
      resize(ring.length / 2);
    }
  }

  /** How many changes there are places for. */
  int places() {
    return ring.length;
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
