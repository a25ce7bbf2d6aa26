package io.lockstep.store.client.cache;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import io.lockstep.store.client.cache.OwnedTable.TableOwnership;
import io.lockstep.store.client.cache.Slot.EntrySlot;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answers in the cache, bounded; the least recently used one is dropped first. Guarded by the
 * cache's lock.
 */
final class KeptAnswers {
  /** Memory of an answer besides keys, names and values, about, in bytes. */
  private static final long OVERHEAD_BYTES = 200;

  private static final long PART_BYTES = 100;

  /**
   * One answer.
   *
   * @param sentNanos when the request that brought it was sent: it was right at some time since
   * @param number of the operation that brought it
   * @param ownership of the entry when that operation began; it counts under the same one only
   */
  record Answer(Reply reply, long sentNanos, long number, TableOwnership ownership) {}

  private final int maxEntries;
  private final long maxBytes;
  private final LinkedHashMap<Slot, Answer> answers = new LinkedHashMap<>(16, 0.75f, true);
  private long bytes;
  private long evictions;

  KeptAnswers(int maxEntries, long maxBytes) {
    this.maxEntries = maxEntries;
    this.maxBytes = maxBytes;
  }

  @Nullable Answer get(Slot slot) {
    return answers.get(slot);
  }

  void put(Slot slot, Answer answer) {
    remove(slot);
    long size = bytesOf(slot, answer.reply());
    if (size > maxBytes) {
      return;
    }
    answers.put(slot, answer);
    bytes += size;
    while (answers.size() > maxEntries || bytes > maxBytes) {
      evictions++;
      remove(answers.keySet().iterator().next());
    }
  }

  void remove(Slot slot) {
    Answer answer = answers.remove(slot);
    if (answer != null) {
      bytes -= bytesOf(slot, answer.reply());
    }
  }

  /** Drops all entries of a table. */
  void removeTable(String table) {
    Iterator<Map.Entry<Slot, Answer>> walk = answers.entrySet().iterator();
    while (walk.hasNext()) {
      Map.Entry<Slot, Answer> kept = walk.next();
      if (kept.getKey() instanceof EntrySlot place && place.table().equals(table)) {
        bytes -= bytesOf(place, kept.getValue().reply());
        walk.remove();
      }
    }
  }

  /** Drops all that was learned under an ownership. */
  void removeOwned() {
    Iterator<Map.Entry<Slot, Answer>> walk = answers.entrySet().iterator();
    while (walk.hasNext()) {
      Map.Entry<Slot, Answer> kept = walk.next();
      if (!kept.getValue().ownership().equals(TableOwnership.NONE)) {
        bytes -= bytesOf(kept.getKey(), kept.getValue().reply());
        walk.remove();
      }
    }
  }

  void clear() {
    answers.clear();
    bytes = 0;
  }

  int size() {
    return answers.size();
  }

  long bytes() {
    return bytes;
  }

  long evictions() {
    return evictions;
  }

  private static long bytesOf(Slot slot, Reply reply) {
    long sum = OVERHEAD_BYTES;
    if (slot instanceof EntrySlot place) {
      sum += place.key().length();
    } else if (slot instanceof Slot.ReferenceSlot through) {
      sum += through.query().key().length() + PART_BYTES * through.tables().size();
    } else if (slot instanceof Slot.QuerySlot asked) {
      sum += asked.query().argument().length();
    }
    if (reply instanceof Reply.Found found) {
      sum += found.value().length();
    } else if (reply instanceof Reply.Columns columns) {
      for (Map.Entry<String, Bytes> column : columns.columns().columns().entrySet()) {
        sum += PART_BYTES + column.getKey().length() + column.getValue().length();
      }
    } else if (reply instanceof Reply.Returned returned) {
      sum += returned.result().length();
    } else if (reply instanceof Reply.Resolved resolved) {
      for (Entry entry : resolved.entries()) {
        sum += PART_BYTES + entry.key().length() + entry.value().length();
      }
    }
    return sum;
  }
}
