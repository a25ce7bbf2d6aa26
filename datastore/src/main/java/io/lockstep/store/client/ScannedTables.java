package io.lockstep.store.client;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The entries of some tables, while a feed scans them and applies changes. Not thread-safe. */
final class ScannedTables {
  private final Map<String, Map<Bytes, Entry>> byTable = new LinkedHashMap<>();

  /** An image of empty tables. */
  ScannedTables(List<String> tables) {
    tables.forEach(table -> byTable.put(table, new TreeMap<>()));
  }

  /** Adds an entry that a scan found. */
  void add(String table, Entry entry) {
    entriesOf(table).put(entry.key(), entry);
  }

  /**
   * Applies a change. If the scan saw this change already, or a newer one, the image goes back to
   * an older value for a moment. The changes up to the index that is noted after the scan bring the
   * newer value again.
   */
  void apply(Change change) {
    Map<Bytes, Entry> entries = entriesOf(change.table());
    Bytes value = change.value();
    if (value == null) {
      entries.remove(change.key());
    } else {
      entries.put(change.key(), new Entry(change.key(), value, change.index()));
    }
  }

  private Map<Bytes, Entry> entriesOf(String table) {
    Map<Bytes, Entry> entries = byTable.get(table);
    if (entries == null) {
      throw new IllegalStateException("table " + table + " is not followed");
    }
    return entries;
  }

  /** Copies all entries, by table and in key order. */
  Map<String, List<Entry>> entries() {
    Map<String, List<Entry>> copies = new LinkedHashMap<>();
    byTable.forEach((table, entries) -> copies.put(table, List.copyOf(entries.values())));
    return copies;
  }

  /** The least key above {@code key}, where the next page begins. */
  static Bytes successor(Bytes key) {
    byte[] next = new byte[key.length() + 1];
    System.arraycopy(key.shared(), 0, next, 0, key.length());
    return Bytes.wrap(next);
  }
}
