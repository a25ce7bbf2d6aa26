package io.lockstep.store.client.cache;

import io.lockstep.store.Bytes;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The keys with a write of unknown outcome, which may still take effect as long as its session
 * lasts. Until then reads of them are not exact, even if their table is owned. Guarded by the
 * cache's lock.
 */
final class DoubtfulKeys {
  /** Beyond this number of doubtful keys, all keys of the table count as doubtful. */
  private static final int MAX_KEYS = 1_000;

  private final Map<String, Set<Bytes>> keys = new HashMap<>();
  private final Set<String> wholeTables = new HashSet<>();
  private boolean all;

  void add(String table, Bytes key) {
    Set<Bytes> doubtful = keys.computeIfAbsent(table, name -> new HashSet<>());
    doubtful.add(key);
    if (doubtful.size() > MAX_KEYS) {
      addTable(table);
    }
  }

  void addTable(String table) {
    wholeTables.add(table);
    keys.remove(table);
  }

  void addAll() {
    all = true;
  }

  boolean contains(String table, Bytes key) {
    if (all || wholeTables.contains(table)) {
      return true;
    }
    Set<Bytes> doubtful = keys.get(table);
    return doubtful != null && doubtful.contains(key);
  }

  /** Another session began: writes of earlier sessions can no longer take effect. */
  void clear() {
    keys.clear();
    wholeTables.clear();
    all = false;
  }
}
