package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import java.util.Arrays;

/**
 * The blocks of a map in key order. Each block has a bound: a key that is at most the block's first
 * key and greater than all keys of the block before it. The bound of the first block is the empty
 * key, and that block stays even when it is empty, so that every key has a block.
 *
 * <p>As in an {@link EntryBlock}, the index keeps a word of each bound in one array: the eight
 * bytes after the prefix that all bounds but the first share. A tree of bounds would visit three
 * objects for each of its levels. Adding a block moves the words and references of all later
 * blocks, 16 bytes each. With a million entries that takes some 10 microseconds, once for every 32
 * or more added entries.
 */
final class BlockIndex {
  private static final int LEAST_PLACES = 4;

  private Bytes[] bounds = new Bytes[LEAST_PLACES];
  private long[] words = new long[LEAST_PLACES];
  private EntryBlock[] blocks = new EntryBlock[LEAST_PLACES];
  private int size = 1;

  /** A length of prefix that all bounds but the first share; a longer one may exist. */
  private int common;

  BlockIndex() {
    bounds[0] = Bytes.empty();
    blocks[0] = new EntryBlock();
  }

  int size() {
    return size;
  }

  EntryBlock at(int position) {
    return blocks[position];
  }

  /** The position of the block that holds the key, or would hold it. */
  int find(Bytes key) {
    if (size == 1) {
      return 0;
    }
    if (common > 0 && key.commonWith(bounds[1]) < common) {
      return key.compareTo(bounds[1]) < 0 ? 0 : size - 1;
    }
    long word = key.longWordAt(common);
    int low = lowest(word);
    int high = low;
    if (high < size && words[high] == word) {
      high = word == -1 ? size : lowest(word + 1);
    }
    // Usually no bound, or one, has this word.
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (bounds[middle].compareTo(key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** The first position from 1 on whose word is not lower. */
  private int lowest(long word) {
    long sought = word + Long.MIN_VALUE;
    int base = 1;
    for (int length = size - 1; length > 0; ) {
      int half = (length + 1) >>> 1;
      base += words[base + half - 1] + Long.MIN_VALUE < sought ? half : 0;
      length -= half;
    }
    return base;
  }

  /**
   * Adds a block after the one at {@code position}; the first key of the new block becomes its
   * bound.
   */
  void addBehind(int position, EntryBlock block) {
    int added = position + 1;
    if (size == blocks.length) {
      resize(size + (size >> 1));
    }
    System.arraycopy(bounds, added, bounds, added + 1, size - added);
    System.arraycopy(words, added, words, added + 1, size - added);
    System.arraycopy(blocks, added, blocks, added + 1, size - added);
    Bytes bound = block.at(0).key();
    bounds[added] = bound;
    blocks[added] = block;
    size++;
    int shared = common;
    if (size == 2) {
      shared = bound.length();
    } else if (added == 1 || added == size - 1) {
      shared = Math.min(common, bounds[1].commonWith(bounds[size - 1]));
    }
    if (shared == common) {
      words[added] = bound.longWordAt(common);
    } else {
      common = shared;
      for (int i = 1; i < size; i++) {
        words[i] = bounds[i].longWordAt(common);
      }
    }
  }

  private void resize(int places) {
    bounds = Arrays.copyOf(bounds, places);
    words = Arrays.copyOf(words, places);
    blocks = Arrays.copyOf(blocks, places);
  }

  /** Removes a block that is not the first. */
  void remove(int position) {
    size--;
    System.arraycopy(bounds, position + 1, bounds, position, size - position);
    System.arraycopy(words, position + 1, words, position, size - position);
    System.arraycopy(blocks, position + 1, blocks, position, size - position);
    Arrays.fill(bounds, size, size + 1, null);
    Arrays.fill(blocks, size, size + 1, null);
    if (blocks.length > LEAST_PLACES && size < blocks.length / 4) {
      resize(Math.max(LEAST_PLACES, size * 2));
    }
  }
}
