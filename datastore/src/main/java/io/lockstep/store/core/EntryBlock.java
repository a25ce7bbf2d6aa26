package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Up to {@value #MOST_ENTRIES} entries that follow each other in key order.
 *
 * <p>A key is four objects away from its block, and a search would visit six keys. So the block
 * keeps a word of each key in one array: the four bytes after the prefix that all its keys share. A
 * search compares words and visits only the key that it finds. A word takes 4 bytes, as the
 * reference to the entry does.
 */
final class EntryBlock {
  static final int MOST_ENTRIES = 64;

  /** The room of an empty table's block, in entries; many tables are that small. */
  private static final int LEAST_PLACES = 8;

  private @Nullable Entry[] entries;
  private int[] words;
  private int size;

  /**
   * A length of prefix that all keys share, after which the words begin; a longer one may exist.
   */
  private int common;

  EntryBlock() {
    this(LEAST_PLACES);
  }

  private EntryBlock(int places) {
    entries = new @Nullable Entry[places];
    words = new int[places];
  }

  int size() {
    return size;
  }

  Entry at(int position) {
    Entry entry = entries[position];
    if (entry == null) {
      throw new IllegalStateException("no entry at " + position + " of " + size);
    }
    return entry;
  }

  /**
   * The position of the key, or the bitwise complement of the position where it would be inserted.
   */
  int find(Bytes key) {
    int word = key.wordAt(common);
    int low = lowest(word);
    int high = low;
    while (high < size && words[high] == word) {
      high++;
    }
    // Usually no key, or one, has this word.
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = at(middle).key().compareTo(key);
      if (order == 0) {
        return middle;
      } else if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~(common == 0 ? low : placeOf(key, low));
  }

  /**
   * The first position whose word is not lower. Has no branch that the processor mispredicts half
   * the time.
   */
  private int lowest(int word) {
    int sought = word + Integer.MIN_VALUE;
    int base = 0;
    for (int length = size; length > 0; ) {
      int half = (length + 1) >>> 1;
      base += words[base + half - 1] + Integer.MIN_VALUE < sought ? half : 0;
      length -= half;
    }
    return base;
  }

  /**
   * The position where an absent key would be inserted. Its word decides that only if the key
   * begins with the shared prefix.
   */
  private int placeOf(Bytes key, int byWord) {
    if (size == 0) {
      return 0;
    }
    Bytes first = at(0).key();
    if (key.commonWith(first) >= common) {
      return byWord;
    }
    return key.compareTo(first) < 0 ? 0 : size;
  }

  /** Replaces the entry of the same key. */
  Entry replace(int position, Entry entry) {
    Entry before = at(position);
    entries[position] = entry;
    return before;
  }

  void insert(int position, Entry entry) {
    makeRoom(1);
    System.arraycopy(entries, position, entries, position + 1, size - position);
    System.arraycopy(words, position, words, position + 1, size - position);
    entries[position] = entry;
    size++;
    // A key between two others begins with the prefix that these share.
    int shared = common;
    if (size == 1) {
      shared = entry.key().length();
    } else if (position == 0 || position == size - 1) {
      shared = Math.min(common, commonOfAll());
    }
    if (shared == common) {
      words[position] = entry.key().wordAt(common);
    } else {
      common = shared;
      readWords();
    }
  }

  Entry remove(int position) {
    Entry removed = at(position);
    size--;
    System.arraycopy(entries, position + 1, entries, position, size - position);
    System.arraycopy(words, position + 1, words, position, size - position);
    entries[size] = null;
    return removed;
  }

  /**
   * Splits the block: keeps the entries before {@code position}, and returns a block of the others.
   */
  EntryBlock splitAt(int position) {
    EntryBlock right = new EntryBlock(MOST_ENTRIES);
    right.append(this, position);
    Arrays.fill(entries, position, size, null);
    size = position;
    measure();
    return right;
  }

  /** Appends all entries of the next block. */
  void append(EntryBlock right) {
    append(right, 0);
  }

  private void append(EntryBlock from, int position) {
    int count = from.size - position;
    makeRoom(count);
    System.arraycopy(from.entries, position, entries, size, count);
    size += count;
    measure();
  }

  private void makeRoom(int more) {
    int places = entries.length;
    while (places < size + more) {
      places *= 2;
    }
    if (places > entries.length) {
      entries = Arrays.copyOf(entries, places);
      words = Arrays.copyOf(words, places);
    }
  }

  private void measure() {
    common = commonOfAll();
    readWords();
  }

  private int commonOfAll() {
    return size == 0 ? 0 : at(0).key().commonWith(at(size - 1).key());
  }

  private void readWords() {
    for (int i = 0; i < size; i++) {
      words[i] = at(i).key().wordAt(common);
    }
  }
}
