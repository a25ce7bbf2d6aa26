package io.lockstep.bench.placer;

import io.lockstep.placer.RuleKey;
import io.lockstep.placer.space.HeaderField;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries by descending priority, gone through one after the other. One thread. */
final class RefereeList {
  private static final HeaderField[] FIELDS = HeaderField.values();

  /** Fields that have a value: all but what is not understood. */
  static final int FIELD_COUNT = FIELDS.length - 1;

  /** The action of a list in which nothing matches. */
  static final Object MISS = "miss";

  /**
   * An entry, as plain numbers.
   *
   * @param fields numbers of those that it matches on
   * @param values of these fields
   * @param masks of these fields
   * @param action null where the next list is asked
   */
  record Line(int priority, int[] fields, long[] values, long[] masks, @Nullable Object action) {
    static Line of(RuleKey key, @Nullable Object action) {
      int[] fields = new int[Integer.bitCount(key.match().fields() & ~HeaderField.OPAQUE.bit())];
      long[] values = new long[fields.length];
      long[] masks = new long[fields.length];
      int n = 0;
      for (int field = 0; field < FIELD_COUNT; field++) {
        if (key.match().mask(FIELDS[field]) != 0) {
          fields[n] = field;
          values[n] = key.match().value(FIELDS[field]);
          masks[n++] = key.match().mask(FIELDS[field]);
        }
      }
      return new Line(key.priority(), fields, values, masks, action);
    }

    boolean matches(long[] packet) {
      for (int i = 0; i < fields.length; i++) {
        if (((packet[fields[i]] ^ values[i]) & masks[i]) != 0) {
          return false;
        }
      }
      return true;
    }

    /** Whether the other has the same priority and match. */
    boolean same(Line other) {
      return priority == other.priority
          && java.util.Arrays.equals(fields, other.fields)
          && java.util.Arrays.equals(values, other.values)
          && java.util.Arrays.equals(masks, other.masks);
    }
  }

  private final List<Line> lines = new ArrayList<>();

  int size() {
    return lines.size();
  }

  Line get(int number) {
    return lines.get(number);
  }

  /** Adds an entry in front of those of its priority. */
  void add(Line line) {
    lines.add(firstBelow(line.priority + 1L), line);
  }

  /** Takes the entry of the same priority and match out; says whether it was in. */
  boolean remove(Line line) {
    for (int i = firstBelow(line.priority + 1L);
        i < lines.size() && lines.get(i).priority == line.priority;
        i++) {
      if (lines.get(i).same(line)) {
        lines.remove(i);
        return true;
      }
    }
    return false;
  }

  /** The place of the first entry with a priority below this one. */
  private int firstBelow(long priority) {
    int low = 0;
    int high = lines.size();
    while (low < high) {
      int middle = (low + high) / 2;
      if (lines.get(middle).priority >= priority) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The action of the first entry that matches; null for one that asks the next list. */
  @Nullable Object winner(long[] packet) {
    for (int i = 0; i < lines.size(); i++) {
      if (lines.get(i).matches(packet)) {
        return lines.get(i).action;
      }
    }
    return MISS;
  }
}
