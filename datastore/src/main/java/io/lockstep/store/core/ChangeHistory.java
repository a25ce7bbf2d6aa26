package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import org.jspecify.annotations.Nullable;

/**
 * The newest changes of one table, oldest first, in a ring that grows up to its bound. It shrinks
 * when the changes of other tables push most of its own out: without that, a thousand empty
 * histories would take 64 MiB.
 */
final class ChangeHistory {
  /** Memory of a change besides its key and value, about, in bytes. */
  private static final int OVERHEAD_BYTES = 64;

  private static final int LEAST_PLACES = 16;

  /** What the histories of all tables have in common. */
  static final class Total {
    private long bytes;
    private long newestFollowed;

    private void add(long more) {
      bytes += more;
    }

    /** How many bytes the histories hold together. */
    long bytes() {
      return bytes;
    }

    /** The index of the newest change of a followed table; 0 if there was none. */
    long newestFollowed() {
      return newestFollowed;
    }
  }

  private final HistoryBounds bounds;
  private final Total total;
  private @Nullable Change[] ring = new @Nullable Change[LEAST_PLACES];

  // The size of each change. A change is dropped long after it was made, when its key and value are
  // no longer in the processor's cache: reading them would cost more than adding a change.
  private int[] sizes = new int[LEAST_PLACES];
  private int first;
  private int size;
  private long bytes;

  /** Index of the newest dropped change; 0 if none was dropped. Never decreases. */
  private long droppedUpTo;

  private boolean followed;

  /**
   * An empty history.
   *
   * @param droppedUpTo 0, or the index from a snapshot whose changes are added next
   */
  ChangeHistory(HistoryBounds bounds, Total total, long droppedUpTo) {
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
    int place = (first + size) & (ring.length - 1);
    int added = bytesOf(change);
    ring[place] = change;
    sizes[place] = added;
    size++;
    bytes += added;
    total.add(added);
    if (followed) {
      total.newestFollowed = change.index();
    }
    while (bytes > bounds.bytesPerTable()) {
      dropOldest();
    }
  }

  private void resize(int places) {
    @Nullable Change[] resized = new @Nullable Change[places];
    int[] resizedSizes = new int[places];
    for (int position = 0; position < size; position++) {
      int place = (first + position) & (ring.length - 1);
      resized[position] = ring[place];
      resizedSizes[position] = sizes[place];
    }
    ring = resized;
    sizes = resizedSizes;
    first = 0;
  }

  void dropOldest() {
    droppedUpTo = get(0).index();
    ring[first] = null;
    bytes -= sizes[first];
    total.add(-sizes[first]);
    first = (first + 1) & (ring.length - 1);
    size--;
    if (ring.length > LEAST_PLACES && size <= ring.length / 4) {
      resize(ring.length / 2);
    }
  }

  /** How many changes fit into the ring before it grows. */
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

  /** From now on {@link Total#newestFollowed} includes the changes of this table, past ones too. */
  void follow() {
    followed = true;
    total.newestFollowed = Math.max(total.newestFollowed, newest());
  }

  /** From now on it does not include them; those of the past remain. */
  void unfollow() {
    followed = false;
  }

  /** The index of the newest change, 0 if there was none. */
  long newest() {
    return size == 0 ? droppedUpTo : get(size - 1).index();
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

  static int bytesOf(Change change) {
    Bytes value = change.value();
    return OVERHEAD_BYTES + change.key().length() + (value == null ? 0 : value.length());
  }
}
