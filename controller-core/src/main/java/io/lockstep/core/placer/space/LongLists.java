package io.lockstep.core.placer.space;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A list of elements for each of some numbers; open addressing. Not thread-safe. */
final class LongLists<E> {
  private long[] keys = new long[8];

  @SuppressWarnings({"unchecked", "rawtypes"})
  private @Nullable List<E>[] lists = new List[8];

  private int taken;

  /** The list of a number, perhaps an empty one; null where there never was one. */
  @Nullable List<E> get(long key) {
    return lists[slot(key)];
  }

  /** Shows every list until the visitor has seen enough; says whether all were shown. */
  boolean forEach(Predicate<List<E>> visitor) {
    for (List<E> list : lists) {
      if (list != null && !visitor.test(list)) {
        return false;
      }
    }
    return true;
  }

  /** Adds to a number's list. */
  void add(long key, E element) {
    int slot = slot(key);
    List<E> list = lists[slot];
    if (list == null) {
      if (2 * taken >= keys.length) {
        grow();
        slot = slot(key);
      }
      list = new ArrayList<>(1);
      keys[slot] = key;
      lists[slot] = list;
      taken++;
    }
    list.add(element);
  }

  private int slot(long key) {
    int mask = keys.length - 1;
    long mixed = key * 0x9E37_79B9_7F4A_7C15L;
    int slot = (int) (mixed >>> 40) & mask;
    while (lists[slot] != null && keys[slot] != key) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Twice the room, without the lists that became empty. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private void grow() {
    long[] oldKeys = keys;
    List<E>[] oldLists = lists;
    keys = new long[2 * oldKeys.length];
    lists = new List[2 * oldKeys.length];
    taken = 0;
    for (int i = 0; i < oldKeys.length; i++) {
      List<E> list = oldLists[i];
      if (list != null && !list.isEmpty()) {
        int slot = slot(oldKeys[i]);
        keys[slot] = oldKeys[i];
        lists[slot] = list;
        taken++;
      }
    }
  }
}
