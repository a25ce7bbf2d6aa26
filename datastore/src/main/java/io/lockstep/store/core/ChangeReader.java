package io.lockstep.store.core;

import io.lockstep.store.Change;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Merges the histories of several tables into one list in the order of the index. A command with an
 * index above the present one asks only for the present index.
 */
final class ChangeReader {
  private final List<Cursor> cursors = new ArrayList<>();
  private final List<Change> changes = new ArrayList<>();
  private final int limit;
  private long bytes;

  private ChangeReader(int limit) {
    this.limit = limit;
  }

  /** Answers {@code command}, which is within {@link Limits}, at the index {@code present}. */
  static Reply read(Tables tables, Command.ReadChanges command, long present) {
    ChangeReader reader = new ChangeReader(command.limit());
    for (String name : new TreeSet<>(command.tables())) {
      Table table = tables.find(name);
      if (table == null) {
        return Refusals.unknownTable(name);
      }
      ChangeHistory history = table.history();
      if (command.afterIndex() < history.droppedUpTo()) {
        return new Reply.Compacted(present);
      }
      int position = history.firstAfter(command.afterIndex());
      if (position < history.size()) {
        reader.cursors.add(new Cursor(history, position));
      }
    }
    return reader.merge(present);
  }

  private Reply merge(long present) {
    long upTo = 0;
    for (Cursor next = earliest(); next != null; next = earliest()) {
      long index = next.index();
      if (index != upTo && (changes.size() >= limit || bytes > Limits.RANGE_BYTES)) {
        return new Reply.Changes(changes, upTo);
      }
      while (!next.atEnd() && next.index() == index) {
        Change change = next.take();
        changes.add(change);
        bytes += ChangeHistory.bytesOf(change);
      }
      upTo = index;
    }
    return new Reply.Changes(changes, present);
  }

  private @Nullable Cursor earliest() {
    Cursor earliest = null;
    for (Cursor cursor : cursors) {
      if (!cursor.atEnd() && (earliest == null || cursor.index() < earliest.index())) {
        earliest = cursor;
      }
    }
    return earliest;
  }

  private static final class Cursor {
    private final ChangeHistory history;
    private int position;

    Cursor(ChangeHistory history, int position) {
      this.history = history;
      this.position = position;
    }

    boolean atEnd() {
      return position == history.size();
    }

    long index() {
      return history.get(position).index();
    }

    Change take() {
      return history.get(position++);
    }
  }
}
