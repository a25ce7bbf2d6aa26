package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries in key order: blocks of up to {@value #BLOCK_ENTRIES} entries under a tree over the
 * blocks. A tree over the entries themselves would take 40 bytes for each; this takes about 8.
 */
final class EntryMap {
  static final int BLOCK_ENTRIES = 64;

  /** Neighbours that shrink to this size together become one. */
  private static final int MERGED_ENTRIES = BLOCK_ENTRIES / 2;

  /**
   * Each block under a key that is not above its first entry's and is above all of the block before
   * it. The first block is under the empty key and stays even when it is empty, so that every key
   * has a block.
   */
  private final TreeMap<Bytes, Block> blocks = new TreeMap<>();

  private int size;

  EntryMap() {
    blocks.put(Bytes.empty(), new Block());
  }

  int size() {
    return size;
  }

  @Nullable Entry get(Bytes key) {
    Block block = blocks.floorEntry(key).getValue();
    int position = block.find(key);
    return position < 0 ? null : block.at(position);
  }

  /** Puts an entry in place; gives the one that was there. */
  @Nullable Entry put(Entry entry) {
    Block block = blocks.floorEntry(entry.key()).getValue();
    int position = block.find(entry.key());
    if (position >= 0) {
      return block.replace(position, entry);
    }
    insert(block, ~position, entry);
    return null;
  }

  /** Adds an entry behind all others; false where its key is not above theirs. */
  boolean append(Entry entry) {
    Block last = blocks.lastEntry().getValue();
    if (last.size > 0 && last.at(last.size - 1).key().compareTo(entry.key()) >= 0) {
      return false;
    }
    insert(last, last.size, entry);
    return true;
  }

  private void insert(Block block, int position, Entry entry) {
    size++;
    if (block.size < BLOCK_ENTRIES) {
      block.insert(position, entry);
      return;
    }
    // Keys that come in ascending order leave full blocks behind them.
    Block right = block.splitAt(position == BLOCK_ENTRIES ? position : BLOCK_ENTRIES / 2);
    if (position < block.size || (position == block.size && right.size > 0)) {
      block.insert(position, entry);
    } else {
      right.insert(position - block.size, entry);
    }
    blocks.put(right.at(0).key(), right);
  }

  /** Removes an entry; gives it, or null where there was none. */
  @Nullable Entry remove(Bytes key) {
    Map.Entry<Bytes, Block> place = blocks.floorEntry(key);
    Block block = place.getValue();
    int position = block.find(key);
    if (position < 0) {
      return null;
    }
    size--;
    Entry removed = block.remove(position);
    if (block.size <= MERGED_ENTRIES) {
      join(place, blocks.higherEntry(place.getKey()));
      join(blocks.lowerEntry(place.getKey()), place);
    }
    return removed;
  }

  /** Makes one block of two neighbours where both are small or the right one is empty. */
  private void join(
      Map.@Nullable Entry<Bytes, Block> left, Map.@Nullable Entry<Bytes, Block> right) {
    if (left == null || right == null) {
      return;
    }
    Block from = right.getValue();
    if (from.size == 0 || left.getValue().size + from.size <= MERGED_ENTRIES) {
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
    private final Iterator<Block> following;
    private Block block;
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
      while (position == block.size && following.hasNext()) {
        block = following.next();
        position = 0;
      }
      return position < block.size && (to == null || block.at(position).key().compareTo(to) < 0);
    }

    @Override
    public Entry next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return block.at(position++);
    }
  }

  /** Some entries that follow each other. */
  private static final class Block {
    private final @Nullable Entry[] entries = new @Nullable Entry[BLOCK_ENTRIES];
    private int size;

    Entry at(int position) {
      Entry entry = entries[position];
      if (entry == null) {
        throw new IllegalStateException("no entry at " + position + " of " + size);
      }
      return entry;
    }

    /** Where the key is, or the complement of where it would be. */
    int find(Bytes key) {
      int low = 0;
      int high = size - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        int order = at(middle).key().compareTo(key);
        if (order == 0) {
          return middle;
        } else if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return ~low;
    }

    Entry replace(int position, Entry entry) {
      Entry before = at(position);
      entries[position] = entry;
      return before;
    }

    void insert(int position, Entry entry) {
      System.arraycopy(entries, position, entries, position + 1, size - position);
      entries[position] = entry;
      size++;
    }

    Entry remove(int position) {
      Entry removed = at(position);
      size--;
      System.arraycopy(entries, position + 1, entries, position, size - position);
      entries[size] = null;
      return removed;
    }

    Block splitAt(int position) {
      Block right = new Block();
      right.size = size - position;
      System.arraycopy(entries, position, right.entries, 0, right.size);
      Arrays.fill(entries, position, size, null);
      size = position;
      return right;
    }

    void append(Block right) {
      System.arraycopy(right.entries, 0, entries, size, right.size);
      size += right.size;
    }
  }
}
