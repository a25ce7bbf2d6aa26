package io.lockstep.store.core;

import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Replies by operation id: a hash table with linear probing in which an id is its own hash. A
 * session's ids mostly follow each other, so they lie side by side, as in a ring; but what the
 * table takes follows from how many replies there are, not from how far their ids lie apart. All
 * ids are within {@link Limits#UNACKNOWLEDGED_OPERATIONS} (2^16) of each other, and at most half of
 * the slots are taken: the worst choice of ids makes a lookup pass 2^13 others, in 32 768 slots.
 */
final class RecordMap {
  private static final int LEAST_SLOTS = 16;

  /**
   * A table of so many slots or fewer is kept, however few replies are left in it: 1.5 KiB, of the
   * 2 KiB that {@link StateBounds} counts for a session.
   */
  static final int KEPT_SLOTS = 128;

  /** So many ids are removed one by one. */
  private static final int FEW = 8;

  private long[] ids = new long[LEAST_SLOTS];
  private @Nullable Reply[] replies = new @Nullable Reply[LEAST_SLOTS];
  private int size;

  int size() {
    return size;
  }

  /** How many replies there is room for in memory, taken or not. */
  int slots() {
    return replies.length;
  }

  @Nullable Reply get(long id) {
    return replies[slotOf(id)];
  }

  /** Puts a reply in place, also of another to the same operation. */
  void put(long id, Reply reply) {
    if (size >= replies.length / 2) {
      resize(replies.length * 2);
    }
    int slot = slotOf(id);
    size += replies[slot] == null ? 1 : 0;
    ids[slot] = id;
    replies[slot] = reply;
  }

  /**
   * Removes all replies to operations with ids from {@code from} to below {@code to}; there are
   * none with lower ids.
   *
   * @param removed takes each reply, in any order
   */
  void removeBelow(long from, long to, Consumer<Reply> removed) {
    if (size == 0) {
      return;
    }
    if (to - from <= FEW) {
      for (long id = from; id < to; id++) {
        int slot = slotOf(id);
        Reply reply = replies[slot];
        if (reply != null) {
          removed.accept(reply);
          removeAt(slot);
        }
      }
    } else {
      removeMany(to, removed);
    }
    if (replies.length > KEPT_SLOTS && size < replies.length / 8) {
      resize(Math.max(LEAST_SLOTS, Integer.highestOneBit(size + 1) * 4));
    }
  }

  /**
   * Puts what is left into an empty table. To remove one after the other looks at all that lie
   * behind each: with 65 536 ids in a row that would be 2^31 looks, some seconds.
   */
  private void removeMany(long to, Consumer<Reply> removed) {
    for (int slot = 0; slot < replies.length; slot++) {
      Reply reply = replies[slot];
      if (reply != null && ids[slot] < to) {
        removed.accept(reply);
        replies[slot] = null;
        size--;
      }
    }
    resize(replies.length);
  }

  /** The ids of all replies, lowest first. */
  long[] sortedIds() {
    long[] sorted = new long[size];
    int count = 0;
    for (int slot = 0; slot < replies.length; slot++) {
      if (replies[slot] != null) {
        sorted[count++] = ids[slot];
      }
    }
    Arrays.sort(sorted);
    return sorted;
  }

  /** Where an id is, or where it would be. */
  private int slotOf(long id) {
    int mask = replies.length - 1;
    int slot = (int) id & mask;
    while (replies[slot] != null && ids[slot] != id) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Empties a slot; what probing would no longer find behind it moves up. */
  private void removeAt(int slot) {
    int mask = replies.length - 1;
    int gap = slot;
    for (int next = (gap + 1) & mask; replies[next] != null; next = (next + 1) & mask) {
      int home = (int) ids[next] & mask;
      if (((next - home) & mask) >= ((next - gap) & mask)) {
        ids[gap] = ids[next];
        replies[gap] = replies[next];
        gap = next;
      }
    }
    replies[gap] = null;
    size--;
  }

  private void resize(int slots) {
    long[] oldIds = ids;
    @Nullable Reply[] oldReplies = replies;
    ids = new long[slots];
    replies = new @Nullable Reply[slots];
    for (int old = 0; old < oldReplies.length; old++) {
      Reply reply = oldReplies[old];
      if (reply != null) {
        int slot = slotOf(oldIds[old]);
        ids[slot] = oldIds[old];
        replies[slot] = reply;
      }
    }
  }
}
