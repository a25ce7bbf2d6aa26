package io.lockstep.core.placer.space;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Elements by their value in one field. Those whose mask a question contains are found by one look
 * for each mask that occurs (33 for addresses with prefixes); those that are more specific than the
 * question are a range of the sorted values. All elements use the field. Not thread-safe.
 */
final class FieldValues<E extends Matched> {
  private final HeaderField field;
  private final List<OneMask<E>> masks = new ArrayList<>();

  /** Keys have their highest bit flipped, so that they sort as unsigned numbers. */
  private final NavigableMap<Long, List<E>> sorted = new TreeMap<>();

  FieldValues(HeaderField field) {
    this.field = field;
  }

  private static final class OneMask<E> {
    final long mask;
    final LongLists<E> byValue = new LongLists<>();

    OneMask(long mask) {
      this.mask = mask;
    }
  }

  private static long key(long value) {
    return value ^ Long.MIN_VALUE;
  }

  void add(E element) {
    long mask = element.match().mask(field);
    long value = element.match().value(field);
    OneMask<E> group = find(mask);
    if (group == null) {
      group = new OneMask<>(mask);
      masks.add(group);
    }
    group.byValue.add(value, element);
    sorted.computeIfAbsent(key(value), none -> new ArrayList<>(1)).add(element);
  }

  void remove(E element) {
    long mask = element.match().mask(field);
    long value = element.match().value(field);
    OneMask<E> group = find(mask);
    List<E> same = group == null ? null : group.byValue.get(value);
    if (group == null || same == null || !drop(same, element)) {
      return;
    }
    List<E> all = sorted.get(key(value));
    if (all != null && drop(all, element) && all.isEmpty()) {
      sorted.remove(key(value));
    }
  }

  @SuppressWarnings("ReferenceEquality") // an element is the object that was added
  static <E> boolean drop(List<E> list, E element) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i) == element) {
        E last = list.remove(list.size() - 1);
        if (i < list.size()) {
          list.set(i, last);
        }
        return true;
      }
    }
    return false;
  }

  private @Nullable OneMask<E> find(long mask) {
    for (OneMask<E> group : masks) {
      if (group.mask == mask) {
        return group;
      }
    }
    return null;
  }

  private boolean prefix(long mask) {
    long open = field.full() & ~mask;
    return (open & (open + 1)) == 0;
  }

  /** About how many looks and candidates a question takes here, of so many elements. */
  double cost(TernaryMatch match, int elements) {
    int bits = Long.bitCount(match.mask(field));
    double parts = bits == 0 ? 1 : Math.min(sorted.size(), Math.scalb(1.0, bits));
    return masks.size() + elements / parts;
  }

  boolean visit(TernaryMatch match, Predicate<? super E> visitor) {
    long mask = match.mask(field);
    long value = match.value(field);
    boolean range = false;
    for (OneMask<E> group : masks) {
      if ((group.mask & ~mask) == 0) {
        List<E> same = group.byValue.get(value & group.mask);
        if (same != null && !OverlapIndex.show(same, match, visitor)) {
          return false;
        }
      } else if (inRange(group.mask, mask)) {
        range = true;
      } else if (!group.byValue.forEach(same -> OverlapIndex.show(same, match, visitor))) {
        return false;
      }
    }
    return !range || visitRange(value, mask, match, visitor);
  }

  /**
   * Whether elements of a mask that is not within the question's are found in the range of values:
   * prefixes that contain it. Others are gone through one by one.
   */
  private boolean inRange(long elements, long question) {
    return prefix(elements) && (question & ~elements) == 0;
  }

  /** Shows the elements that are more specific than the question, which are between two values. */
  private boolean visitRange(
      long value, long mask, TernaryMatch match, Predicate<? super E> visitor) {
    // The leading ones of the mask; the comparison of whole matches sees to the rest of it.
    long open = field.full() & ~mask;
    long below = open == 0 ? 0 : 2 * Long.highestOneBit(open) - 1;
    long first = value & ~below;
    for (List<E> same : sorted.subMap(key(first), true, key(first | below), true).values()) {
      for (int i = 0; i < same.size(); i++) {
        E element = same.get(i);
        long theirs = element.match().mask(field);
        boolean here = (theirs & ~mask) != 0 && inRange(theirs, mask);
        if (here && element.match().overlaps(match) && !visitor.test(element)) {
          return false;
        }
      }
    }
    return true;
  }
}
