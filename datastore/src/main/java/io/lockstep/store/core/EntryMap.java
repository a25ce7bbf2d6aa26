package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * A map of entries in key order: an index of blocks. It takes about 12 bytes for each entry; a tree
 * over the entries themselves would take 40.
 */
final class EntryMap {
  /** Two neighbouring blocks are merged when they shrink to this size together. */
  private static final int MERGED_ENTRIES = EntryBlock.MOST_ENTRIES / 2;

  private final BlockIndex blocks = new BlockIndex();
  private int size;

  int size() {
    return size;
  }

  @Nullable Entry get(Bytes key) {
    EntryBlock block = blocks.at(blocks.find(key));
    int position = block.find(key);
    return position < 0 ? null : block.at(position);
  }

  /** Puts an entry; returns the one that it replaces, or null. */
  @Nullable Entry put(Entry entry) {
    int place = blocks.find(entry.key());
    EntryBlock block = blocks.at(place);
    int position = block.find(entry.key());
    if (position >= 0) {
      return block.replace(position, entry);
    }
    insert(place, ~position, entry);
    return null;
  }

  /** Appends an entry; false if its key is not greater than all others. */
  boolean append(Entry entry) {
    EntryBlock last = blocks.at(blocks.size() - 1);
    if (last.size() > 0 && last.at(last.size() - 1).key().compareTo(entry.key()) >= 0) {
      return false;
    }
    insert(blocks.size() - 1, last.size(), entry);
    return true;
  }

  private void insert(int place, int position, Entry entry) {
    size++;
    EntryBlock block = blocks.at(place);
    if (block.size() < EntryBlock.MOST_ENTRIES) {
      block.insert(position, entry);
      return;
    }
    // Keys that arrive in ascending order fill each block before the next one begins.
    EntryBlock right =
        block.splitAt(position == EntryBlock.MOST_ENTRIES ? position : EntryBlock.MOST_ENTRIES / 2);
    if (position < block.size() || (position == block.size() && right.size() > 0)) {
      block.insert(position, entry);
    } else {
      right.insert(position - block.size(), entry);
    }
    blocks.addBehind(place, right);
  }

  /** Removes an entry and returns it; null if there was none. */
  @Nullable Entry remove(Bytes key) {
    int place = blocks.find(key);
    EntryBlock block = blocks.at(place);
    int position = block.find(key);
    if (position < 0) {
      return null;
    }
    size--;
    Entry removed = block.remove(position);
    if (block.size() <= MERGED_ENTRIES) {
      joinNext(place);
      joinNext(place - 1);
    }
    return removed;
  }

  /** Merges two neighbouring blocks if both are small or the right one is empty. */
  private void joinNext(int place) {
    if (place < 0 || place + 1 >= blocks.size()) {
      return;
    }
    EntryBlock left = blocks.at(place);
    EntryBlock right = blocks.at(place + 1);
    if (right.size() == 0 || left.size() + right.size() <= MERGED_ENTRIES) {
      left.append(right);
      blocks.remove(place + 1);
    }
  }

  /**
   * The entries in key order, valid until the next change of this map.
   *
   * @param to exclusive; null for the end
   */
  Iterable<Entry> range(Bytes from, @Nullable Bytes to) {
    return () -> new EntryIterator(from, to);
  }

  private final class EntryIterator implements Iterator<Entry> {
    private final @Nullable Bytes to;
    private int place;
    private int position;

    EntryIterator(Bytes from, @Nullable Bytes to) {
      this.to = to;
      place = blocks.find(from);
      int found = blocks.at(place).find(from);
      position = found < 0 ? ~found : found;
    }

    @Override
    public boolean hasNext() {
      while (position == blocks.at(place).size() && place + 1 < blocks.size()) {
        place++;
        position = 0;
      }
      EntryBlock block = blocks.at(place);
      return position < block.size() && (to == null || block.at(position).key().compareTo(to) < 0);
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return blocks.at(place).at(position++);
    }
  }
}
