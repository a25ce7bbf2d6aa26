package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One table: versioned entries in key order, and its newest changes. */
final class Table extends TableOperations {
  private static final int ENTRY_OVERHEAD_BYTES = 16;

  private final String name;
  private final TableSpec spec;
  private final boolean ofCluster;
  private final boolean system;
  private final ChangeHistory history;
  private final Tables.ReplyDependency dependency;
  private final EntryRoom room;
  private final EntryMap entries = new EntryMap();

  /** Notified of every change while a snapshot is being written; else null. */
  private @Nullable TableImage observer;

  /** The index of the operation that declared the table; 0 if it was restored from a snapshot. */
  private long declaredAt;

  /**
   * The index of the newest removal since the last restored snapshot: every absence depends on it.
   */
  private long removedAt;

  /**
   * An empty table.
   *
   * @param dependency records which operations reads depend on
   * @param room counts the memory of the entries
   */
  Table(
      String name,
      TableSpec spec,
      ChangeHistory history,
      Tables.ReplyDependency dependency,
      EntryRoom room) {
    this.name = name;
    this.spec = spec;
    this.ofCluster = Limits.isOfCluster(name);
    this.system = Limits.isSystem(name);
    this.history = history;
    this.dependency = dependency;
    this.room = room;
  }

  long declaredAt() {
    return declaredAt;
  }

  void declaredAt(long index) {
    declaredAt = index;
  }

  @Override
  String name() {
    return name;
  }

  @Override
  TableSpec spec() {
    return spec;
  }

  /** Whether it is one of the cluster's own, for which room is reserved. */
  boolean isOfCluster() {
    return ofCluster;
  }

  /** Whether it is the store's own, which clients read and never write. */
  boolean isSystem() {
    return system;
  }

  ChangeHistory history() {
    return history;
  }

  /** The number of entries. */
  int size() {
    return entries.size();
  }

  /** Notifies {@code image} of every further change of an entry; null ends that. */
  void observe(@Nullable TableImage image) {
    observer = image;
  }

  /** Appends an entry; false if its key is not greater than all others. */
  boolean restore(Entry entry) {
    room.changed(ofCluster, null, entry);
    return entries.append(entry);
  }

  @Override
  @Nullable Entry entry(Bytes key) {
    Entry entry = entries.get(key);
    dependency.on(entry == null ? removedAt : entry.version());
    return entry;
  }

  /**
   * Writes an entry and leaves the history as it is; returns the entry that it replaces, or null.
   */
  @Nullable Entry store(Entry entry) {
    Entry before = entries.put(entry);
    room.changed(ofCluster, before, entry);
    if (observer != null) {
      observer.changed(entry.key(), before);
    }
    return before;
  }

  /** Removes an entry and leaves the history as it is; returns the removed entry, or null. */
  @Nullable Entry erase(Bytes key) {
    Entry before = entries.remove(key);
    room.changed(ofCluster, before, null);
    if (observer != null && before != null) {
      observer.changed(key, before);
    }
    return before;
  }

  /** Adds a change to the history. */
  void record(long index, Bytes key, @Nullable Bytes value) {
    if (value == null) {
      removedAt = index;
    }
    history.add(new Change(index, name, key, value));
  }

  @Override
  @Nullable Reply noRoom(Bytes key, Bytes value) {
    // Usually there is room for any entry, and no lookup is needed.
    return room.admitsAny(ofCluster, key, value)
            || room.admits(ofCluster, entries.get(key), key, value)
        ? null
        : room.refusal();
  }

  @Override
  void write(Bytes key, Bytes value, long index) {
    store(new Entry(key, value, index));
    record(index, key, value);
  }

  @Override
  void erase(Bytes key, long index) {
    erase(key);
    record(index, key, null);
  }

  @Override
  Reply.Entries scan(Bytes from, @Nullable Bytes to, int limit) {
    List<Entry> found = new ArrayList<>();
    long bytes = 0;
    for (Entry entry : range(from, to)) {
      seen(entry);
      if (found.size() == limit || bytes > Limits.RANGE_BYTES) {
        return new Reply.Entries(found, true);
      }
      found.add(entry);
      bytes += bytesOf(entry);
    }
    return new Reply.Entries(found, false);
  }

  /** About how many bytes an entry takes in a reply. */
  static long bytesOf(Entry entry) {
    return (long) ENTRY_OVERHEAD_BYTES + entry.key().length() + entry.value().length();
  }

  /** The entries of a range, valid until the table changes. */
  Iterable<Entry> range(Bytes from, @Nullable Bytes to) {
    dependency.on(removedAt);
    return entries.range(from, to);
  }

  /** Notes that an entry of a range was read. */
  void seen(Entry entry) {
    dependency.on(entry.version());
  }
}
