package io.lockstep.history.mixed.load;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.mixed.Step;
import io.lockstep.history.mixed.Step.Cell;
import io.lockstep.history.mixed.Step.Range;
import io.lockstep.history.mixed.Step.ReadEntry;
import io.lockstep.history.mixed.component.CellCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns what was asked and its reply into a step. Pure. */
final class Answers {
  private Answers() {}

  static Step step(String client, Ask ask, long startNanos, long endNanos, Reply reply) {
    Outcome outcome = Outcome.OK;
    Range range = ask.range();
    @Nullable Long index = null;
    List<ReadEntry> reads = List.of();
    if (reply instanceof Reply.Unknown) {
      outcome = Outcome.UNKNOWN;
    } else if (reply instanceof Reply.Rejected) {
      outcome = Outcome.ERROR;
    } else if (reply instanceof Reply.Batched batched) {
      index = batched.version();
      reads = seen(ask.reads(), batched.replies());
    } else if (reply instanceof Reply.BatchRefused refused) {
      boolean guard = refused.position() < ask.guards().size();
      outcome = guard ? Outcome.FAILED : Outcome.ERROR;
      reads =
          guard
              ? seen(List.of(ask.guards().get(refused.position()).cell()), List.of(refused.reply()))
              : List.of();
    } else if (reply instanceof Reply.Entries entries && range != null) {
      reads = seen(range.table(), entries.entries());
      range = covered(range, entries);
    } else if (reply instanceof Reply.Returned returned) {
      CellCodec.Result result = CellCodec.result(returned.result());
      index = result.index();
      reads = before(ask.reads(), result.before());
    } else if (reply instanceof Reply.Applied applied) {
      index = applied.version();
    } else {
      reads = seen(ask.reads(), List.of(reply));
    }
    return new Step(
        client,
        ask.op(),
        ask.guards(),
        ask.writes(),
        range,
        startNanos,
        endNanos,
        outcome,
        index,
        reads);
  }

  private static List<ReadEntry> seen(List<Cell> cells, List<Reply> replies) {
    List<ReadEntry> seen = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      seen.add(seen(cells.get(i), replies.get(i)));
    }
    return seen;
  }

  private static ReadEntry seen(Cell cell, Reply reply) {
    if (reply instanceof Reply.Found found) {
      return seen(cell, found.value(), found.version());
    } else if (reply instanceof Reply.Conflict conflict) {
      return seen(cell, conflict.value(), conflict.version());
    } else if (reply instanceof Reply.Absent) {
      return new ReadEntry(cell.table(), cell.key(), null, 0);
    }
    throw new IllegalStateException("not an entry: " + reply);
  }

  private static ReadEntry seen(Cell cell, Bytes value, long version) {
    return new ReadEntry(cell.table(), cell.key(), Values.text(value), version);
  }

  private static List<ReadEntry> seen(String table, List<Entry> entries) {
    List<ReadEntry> seen = new ArrayList<>();
    for (Entry entry : entries) {
      seen.add(seen(new Cell(table, entry.key().toUtf8()), entry.value(), entry.version()));
    }
    return seen;
  }

  private static List<ReadEntry> before(List<Cell> cells, List<@Nullable Entry> before) {
    List<ReadEntry> seen = new ArrayList<>();
    for (int i = 0; i < cells.size(); i++) {
      Cell cell = cells.get(i);
      Entry entry = before.get(i);
      seen.add(
          entry == null
              ? new ReadEntry(cell.table(), cell.key(), null, 0)
              : seen(cell, entry.value(), entry.version()));
    }
    return seen;
  }

  /** A scan that was cut short has read up to its last entry. */
  private static Range covered(Range asked, Reply.Entries entries) {
    if (!entries.more()) {
      return asked;
    }
    List<Entry> all = entries.entries();
    String last = all.isEmpty() ? asked.from() : all.get(all.size() - 1).key().toUtf8() + "\0";
    return new Range(asked.table(), asked.from(), last);
  }
}
