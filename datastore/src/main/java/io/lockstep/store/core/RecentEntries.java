package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a table that were looked up or replaced last, each in the one place that the hash
 * of its key gives it. Finding a key in order reads a dozen keys from all over the heap; here it
 * reads one. Keys that were chosen to share a place only take it from each other. It grows with the
 * table to {@value #MAX_PLACES} places.
 *
 * <p>Its owner adds each entry that replaces another and removes each key that it removes. Not
 * thread-safe.
 */
final class RecentEntries {
  static final int MIN_PLACES = 64;
  static final int MAX_PLACES = 1 << 16;

  /** As many places as a power of two, none before the first entry. */
  private @Nullable Entry[] places = new @Nullable Entry[0];

  /** The entry with {@code key}; null where it is not here. */
  @Nullable Entry find(Bytes key) {
    if (places.length == 0) {
      return null;
    }
    Entry entry = places[placeOf(key)];
    return entry != null && entry.key().equals(key) ? entry : null;
  }

  /**
   * Puts an entry here.
   *
   * @param tableSize entries of the table
   */
  void add(Entry entry, int tableSize) {
    if (places.length < tableSize && places.length < MAX_PLACES) {
      grow(tableSize);
    }
    places[placeOf(entry.key())] = entry;
  }

  void remove(Bytes key) {
    if (find(key) != null) {
      places[placeOf(key)] = null;
    }
  }

  private void grow(int tableSize) {
    @Nullable Entry[] before = places;
    int wanted = Math.max(MIN_PLACES, Math.min(tableSize, MAX_PLACES));
    places = new @Nullable Entry[Integer.highestOneBit(wanted - 1) << 1];
    for (Entry entry : before) {
      if (entry != null) {
        places[placeOf(entry.key())] = entry;
      }
    }
  }

  private int placeOf(Bytes key) {
    return key.spreadHash() & (places.length - 1);
  }
}
