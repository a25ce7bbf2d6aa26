package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Change;
import io.lockstep.store.Entry;
import io.lockstep.store.codec.ByteWriter;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One table as it was when a snapshot began. The entries stay in the table. When the table changes
 * an entry before the snapshot has written it, the image keeps the old version. So an open snapshot
 * holds the memory of the old versions of those keys that change meanwhile.
 */
final class TableImage implements SnapshotPart {
  private final Table table;
  private final int entries;
  private final Change[] changes;
  private final long droppedUpTo;
  private boolean begun;
  private boolean entriesDone;
  private int changesWritten;

  /** Old versions of entries with keys above the cursor; version 0 stands for an absent entry. */
  private final TreeMap<Bytes, Entry> aside = new TreeMap<>();

  /** All entries up to this key are written; null if none is. */
  private @Nullable Bytes cursor;

  private Iterator<Entry> live = Collections.emptyIterator();
  private @Nullable Entry nextLive;

  /** Begins with the present state of the table, and makes the table report its further changes. */
  TableImage(Table table) {
    this.table = table;
    ChangeHistory history = table.history();
    entries = table.size();
    droppedUpTo = history.droppedUpTo();
    changes = new Change[history.size()];
    for (int i = 0; i < changes.length; i++) {
      changes[i] = history.get(i);
    }
    table.observe(this);
  }

  /** The table changed the entry of {@code key}, which was {@code before}. */
  void changed(Bytes key, @Nullable Entry before) {
    if (cursor == null || key.compareTo(cursor) > 0) {
      aside.putIfAbsent(key, before == null ? new Entry(key, Bytes.empty(), 0) : before);
    }
  }

  /** How many old versions are kept. */
  int kept() {
    return aside.size();
  }

  @Override
  public void resume() {
    if (!entriesDone) {
      live = table.range(cursor == null ? Bytes.empty() : cursor, null).iterator();
      advance();
      if (cursor != null && nextLive != null && nextLive.key().equals(cursor)) {
        advance();
      }
    }
  }

  private void advance() {
    nextLive = live.hasNext() ? live.next() : null;
  }

  @Override
  public boolean writeNext(ByteWriter out) {
    if (!begun) {
      begun = true;
      SnapshotEncoder.tableHead(out, table, droppedUpTo, entries);
      return true;
    }
    if (!entriesDone) {
      Entry entry = nextEntry();
      if (entry != null) {
        SnapshotEncoder.entry(out, entry);
        return true;
      }
      entriesDone = true;
      table.observe(null);
      SnapshotEncoder.count(out, changes.length);
      return true;
    }
    if (changesWritten == changes.length) {
      return false;
    }
    SnapshotEncoder.change(out, changes[changesWritten++]);
    return true;
  }

  /** The next entry as it was when the snapshot began; the cursor moves on to it. */
  private @Nullable Entry nextEntry() {
    while (true) {
      Map.Entry<Bytes, Entry> kept = aside.firstEntry();
      Entry now = nextLive;
      if (kept == null || (now != null && now.key().compareTo(kept.getKey()) < 0)) {
        if (now != null) {
          cursor = now.key();
          advance();
        }
        return now;
      }
      aside.remove(kept.getKey());
      cursor = kept.getKey();
      if (now != null && now.key().equals(cursor)) {
        advance();
      }
      if (kept.getValue().version() > 0) {
        return kept.getValue();
      }
    }
  }

  @Override
  public void release() {
    if (!entriesDone) {
      entriesDone = true;
      table.observe(null);
      aside.clear();
    }
  }
}
