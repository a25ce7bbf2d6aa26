package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries in key order: blocks under a tree over the blocks. A tree over the entries themselves
 * would take 40 bytes for each; this takes about 14.
 */
final class EntryMap {
  /** Neighbours that shrink to this size together become one. */
  private static final int MERGED_ENTRIES = EntryBlock.MOST_ENTRIES / 2;

  /**
   * Each block under a key that is not above its first entry's and is above all of the block before
   * it. The first block is under the empty key and stays even when it is empty, so that every key
   * has a block.
   */
  private final TreeMap<Bytes, EntryBlock> blocks = new TreeMap<>();

  private int size;

  EntryMap() {
    blocks.put(Bytes.empty(), new EntryBlock());
  }

  int size() {
    return size;
  }

  @Nullable Entry get(Bytes key) {
    EntryBlock block = blocks.floorEntry(key).getValue();
    int position = block.find(key);
    return position < 0 ? null : block.at(position);
  }

  /** Puts an entry in place; gives the one that was there. */
  @Nullable Entry put(Entry entry) {
    EntryBlock block = blocks.floorEntry(entry.key()).getValue();
    int position = block.find(entry.key());
    if (position >= 0) {
      return block.replace(position, entry);
    }
    insert(block, ~position, entry);
    return null;
  }

  /** Adds an entry behind all others; false where its key is not above theirs. */
  boolean append(Entry entry) {
    EntryBlock last = blocks.lastEntry().getValue();
    if (last.size() > 0 && last.at(last.size() - 1).key().compareTo(entry.key()) >= 0) {
      return false;
    }
    insert(last, last.size(), entry);
    return true;
  }

  private void insert(EntryBlock block, int position, Entry entry) {
    size++;
    if (block.size() < EntryBlock.MOST_ENTRIES) {
      block.insert(position, entry);
      return;
    }
    // Keys that come in ascending order leave full blocks behind them.
    EntryBlock right =
        block.splitAt(position == EntryBlock.MOST_ENTRIES ? position : EntryBlock.MOST_ENTRIES / 2);
    if (position < block.size() || (position == block.size() && right.size() > 0)) {
      block.insert(position, entry);
    } else {
      right.insert(position - block.size(), entry);
    }
    blocks.put(right.at(0).key(), right);
  }

  /** Removes an entry; gives it, or null where there was none. */
  @Nullable Entry remove(Bytes key) {
    Map.Entry<Bytes, EntryBlock> place = blocks.floorEntry(key);
    EntryBlock block = place.getValue();
    int position = block.find(key);
    if (position < 0) {
      return null;
    }
    size--;
    Entry removed = block.remove(position);
    if (block.size() <= MERGED_ENTRIES) {
      join(place, blocks.higherEntry(place.getKey()));
      join(blocks.lowerEntry(place.getKey()), place);
    }
    return removed;
  }

  /** Makes one block of two neighbours where both are small or the right one is empty. */
  private void join(
      Map.@Nullable Entry<Bytes, EntryBlock> left, Map.@Nullable Entry<Bytes, EntryBlock> right) {
    if (left == null || right == null) {
      return;
    }
    EntryBlock from = right.getValue();
    if (from.size() == 0 || left.getValue().size() + from.size() <= MERGED_ENTRIES) {
      left.getValue().append(from);
      blocks.remove(right.getKey());
    }
  }

  /**
   * The entries in key order, valid until the next change of this map.
   *
   * @param to exclusive; null for the end
   */
  Iterable<Entry> range(Bytes from, @Nullable Bytes to) {
    return () -> new Walk(from, to);
  }

  private final class Walk implements Iterator<Entry> {
    private final @Nullable Bytes to;
    private final Iterator<EntryBlock> following;
    private EntryBlock block;
    private int position;

    Walk(Bytes from, @Nullable Bytes to) {
      this.to = to;
      following = blocks.tailMap(blocks.floorKey(from), true).values().iterator();
      block = following.next();
      int found = block.find(from);
      position = found < 0 ? ~found : found;
    }

    @Override
    public boolean hasNext() {
      while (position == block.size() && following.hasNext()) {
        block = following.next();
        position = 0;
      }
      return position < block.size() && (to == null || block.at(position).key().compareTo(to) < 0);
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return block.at(position++);
    }
  }
}
