package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.core.StoreTransaction.OutOfBoundsException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The keys that a transaction wrote, in the order of their first writes, each with its entry before
 * and now. Most transactions write a few keys, so these are found without a map, and one alone
 * needs no list.
 */
final class WrittenEntries {
  /** Up to so many keys are compared one by one; of more, a map finds one. */
  private static final int FEW = 8;

  /** The first key; null before that. */
  private @Nullable WrittenEntry first;

  /** All keys; null before the second. */
  private @Nullable List<WrittenEntry> all;

  /** The same, to find one; null while there are {@link #FEW} at most. */
  private @Nullable Map<TableKey, WrittenEntry> byKey;

  /**
   * The record of a key that is written now.
   *
   * @throws OutOfBoundsException where it is one more than {@link Limits#CALL_WRITES}
   */
  WrittenEntry of(Table table, Bytes key) {
    WrittenEntry only = first;
    if (only == null) {
      WrittenEntry fresh = new WrittenEntry(table, key);
      first = fresh;
      return fresh;
    }
    WrittenEntry known = known(table, key);
    if (known != null) {
      return known;
    }
    List<WrittenEntry> list = all;
    if (list == null) {
      list = new ArrayList<>(FEW);
      list.add(only);
      all = list;
    }
    if (list.size() == Limits.CALL_WRITES) {
      throw new OutOfBoundsException("a call writes at most " + Limits.CALL_WRITES + " keys");
    }
    WrittenEntry fresh = new WrittenEntry(table, key);
    list.add(fresh);
    if (byKey != null) {
      byKey.put(fresh.place(), fresh);
    } else if (list.size() > FEW) {
      byKey = new HashMap<>();
      for (WrittenEntry one : list) {
        byKey.put(one.place(), one);
      }
    }
    return fresh;
  }

  private @Nullable WrittenEntry known(Table table, Bytes key) {
    if (byKey != null) {
      return byKey.get(new TableKey(table.name(), key));
    }
    for (WrittenEntry one : entries()) {
      if (one.table == table && one.key.equals(key)) {
        return one;
      }
    }
    return null;
  }

  private List<WrittenEntry> entries() {
    if (all != null) {
      return all;
    }
    return first == null ? List.of() : List.of(first);
  }

  /** Whether entries were added to tables other than the cluster's own. */
  boolean added() {
    if (all == null) {
      return first != null && first.isAdded();
    }
    for (WrittenEntry one : all) {
      if (one.isAdded()) {
        return true;
      }
    }
    return false;
  }

  /** Adds the changes to the histories of their tables. */
  void record(long index) {
    if (all != null) {
      for (WrittenEntry one : all) {
        one.record(index);
      }
    } else if (first != null) {
      first.record(index);
    }
  }

  /** Puts back what was there before. */
  void undo() {
    for (WrittenEntry one : entries()) {
      Entry before = one.before;
      if (before == null) {
        one.table.erase(one.key);
      } else {
        one.table.store(before);
      }
    }
  }

  private record TableKey(String table, Bytes key) {}

  /** A written key, with its entry before the transaction and its entry now. */
  static final class WrittenEntry {
    private final Table table;
    private final Bytes key;
    private @Nullable Entry before;
    private @Nullable Entry now;
    private boolean known;

    private WrittenEntry(Table table, Bytes key) {
      this.table = table;
      this.key = key;
    }

    /** It was written: what is there now, and what that replaced. */
    void is(@Nullable Entry after, @Nullable Entry replaced) {
      before = known ? before : replaced;
      known = true;
      now = after;
    }

    private TableKey place() {
      return new TableKey(table.name(), key);
    }

    private boolean isAdded() {
      return before == null && now != null && !table.isOfCluster();
    }

    private void record(long index) {
      if (now != null || before != null) {
        table.record(index, key, now == null ? null : now.value());
      }
    }
  }
}
