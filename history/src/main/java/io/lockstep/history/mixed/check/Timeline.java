package io.lockstep.history.mixed.check;

import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Range;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What every entry was at which index, as far as it is known. */
final class Timeline {

  /**
   * A change of one entry.
   *
   * @param value null for a remove
   */
  record Change(long index, @Nullable String value) {
    boolean present() {
      return value != null;
    }
  }

  private final NavigableMap<Cell, NavigableMap<Long, Change>> cells = new TreeMap<>();

  void add(Cell cell, Change change) {
    cells.computeIfAbsent(cell, fresh -> new TreeMap<>()).put(change.index(), change);
  }

  /** The newest change of an entry up to an index, that one included; null before the first. */
  @Nullable Change at(Cell cell, long index) {
    NavigableMap<Long, Change> changes = cells.get(cell);
    var entry = changes == null ? null : changes.floorEntry(index);
    return entry == null ? null : entry.getValue();
  }

  /** The index of the first change of an entry after an index; the greatest number where none. */
  long nextChange(Cell cell, long index) {
    NavigableMap<Long, Change> changes = cells.get(cell);
    Long next = changes == null ? null : changes.higherKey(index);
    return next == null ? Long.MAX_VALUE : next;
  }

  /** The index of the first remove of an entry after an index; the greatest number where none. */
  long nextRemove(Cell cell, long index) {
    NavigableMap<Long, Change> changes = cells.get(cell);
    if (changes != null) {
      for (Change change : changes.tailMap(index, false).values()) {
        if (!change.present()) {
          return change.index();
        }
      }
    }
    return Long.MAX_VALUE;
  }

  /** The entries of a range that ever were. */
  Collection<Cell> in(Range range) {
    Cell from = new Cell(range.table(), range.from());
    // No table's name is another one's with this behind it.
    String to = range.to();
    Cell end = to == null ? new Cell(range.table() + "\0", "") : new Cell(range.table(), to);
    return from.compareTo(end) >= 0
        ? cells.subMap(from, from).keySet()
        : cells.subMap(from, end).keySet();
  }
}
