package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One table: versioned entries in key order, and its newest changes. The operations are those of
 * the paper's key-value table (section IV), compare-and-set by version in place of by value. Every
 * one takes the index of the operation that makes it; a change's index becomes the entry's version.
 */
final class Table {
  private static final Reply ABSENT = new Reply.Absent();
  private static final int ENTRY_OVERHEAD_BYTES = 16;

  private final String name;
  private final ChangeHistory history;
  private final EntryMap entries = new EntryMap();

  /** Told of every change while a snapshot is being written. */
  private @Nullable TableImage observer;

  Table(String name, ChangeHistory history) {
    this.name = name;
    this.history = history;
  }

  String name() {
    return name;
  }

  ChangeHistory history() {
    return history;
  }

  /** The number of entries. */
  int size() {
    return entries.size();
  }

  /** From now on every change of an entry is told to {@code image}, or to nobody. */
  void observe(@Nullable TableImage image) {
    observer = image;
  }

  /** Adds an entry behind the others; false where its key is not above theirs. */
  boolean restore(Entry entry) {
    return entries.append(entry);
  }

  @Nullable Entry entry(Bytes key) {
    return entries.get(key);
  }

  /** Writes an entry without a word in the history. */
  void store(Entry entry) {
    Entry before = entries.put(entry);
    if (observer != null) {
      observer.changed(entry.key(), before);
    }
  }

  /** Removes an entry without a word in the history. */
  @Nullable Entry erase(Bytes key) {
    Entry before = entries.remove(key);
    if (observer != null && before != null) {
      observer.changed(key, before);
    }
    return before;
  }

  /** Adds a change to the history. */
  void record(long index, Bytes key, @Nullable Bytes value) {
    history.add(new Change(index, name, key, value));
  }

  Reply get(Bytes key) {
    Entry entry = entries.get(key);
    return entry == null ? ABSENT : new Reply.Found(entry.value(), entry.version());
  }

  Reply put(Bytes key, Bytes value, long index) {
    store(new Entry(key, value, index));
    record(index, key, value);
    return new Reply.Applied(index);
  }

  Reply putIfAbsent(Bytes key, Bytes value, long index) {
    Entry entry = entries.get(key);
    return entry == null ? put(key, value, index) : conflict(entry);
  }

  Reply replace(Bytes key, long expectedVersion, Bytes value, long index) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return ABSENT;
    }
    return entry.version() == expectedVersion ? put(key, value, index) : conflict(entry);
  }

  Reply remove(Bytes key, long index) {
    if (erase(key) == null) {
      return ABSENT;
    }
    record(index, key, null);
    return new Reply.Applied(index);
  }

  Reply removeVersion(Bytes key, long expectedVersion, long index) {
    Entry entry = entries.get(key);
    if (entry == null) {
      return ABSENT;
    }
    return entry.version() == expectedVersion ? remove(key, index) : conflict(entry);
  }

  Reply increment(Bytes key, long delta, long index) {
    Entry entry = entries.get(key);
    if (!Counters.isCounter(entry)) {
      return new Reply.Rejected(
          Reply.Reason.OUT_OF_BOUNDS, "not a counter: the value is not 8 bytes long");
    }
    long sum = Counters.valueOf(entry) + delta;
    put(key, Counters.bytesOf(sum), index);
    return new Reply.Counter(sum, index);
  }

  Reply.Entries scan(Bytes from, @Nullable Bytes to, int limit) {
    List<Entry> found = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : range(from, to)) {
      if (found.size() == limit || bytes > Limits.RANGE_BYTES) {
        return new Reply.Entries(found, true);
      }
      found.add(entry);
      bytes += ENTRY_OVERHEAD_BYTES + entry.key().length() + entry.value().length();
    }
    return new Reply.Entries(found, false);
  }

  /** The entries of a range, valid until the table changes. */
  Iterable<Entry> range(Bytes from, @Nullable Bytes to) {
    return entries.range(from, to);
  }

  private static Reply conflict(Entry entry) {
    return new Reply.Conflict(entry.value(), entry.version());
  }
}
