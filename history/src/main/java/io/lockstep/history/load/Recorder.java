package io.lockstep.history.load;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import io.lockstep.history.file.HistoryWriter;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Turns commands and replies into records on the run's clock. Thread-safe. */
public final class Recorder {
  private final HistoryWriter writer;
  private final WriteStalls stalls;
  private final LongSupplier runNanos;

  /**
   * A recorder.
   *
   * @param runNanos nanoseconds since the run began
   */
  public Recorder(HistoryWriter writer, WriteStalls stalls, LongSupplier runNanos) {
    this.writer = writer;
    this.stalls = stalls;
    this.runNanos = runNanos;
  }

  /** Now, on the run's clock. */
  public long now() {
    return runNanos.getAsLong();
  }

  /** Records an operation that has just ended, and returns the record. */
  public Operation record(String client, Command command, long startNanos, Reply reply) {
    Operation operation = operation(client, command, startNanos, now(), reply);
    writer.write(operation);
    if (operation.applied()) {
      stalls.acknowledged(operation.endNanos());
    }
    return operation;
  }

  private static Operation operation(
      String client, Command command, long startNanos, long endNanos, Reply reply) {
    Kind kind;
    String table;
    Bytes key;
    @Nullable String value = null;
    @Nullable Long expected = null;
    if (command instanceof Command.Get c) {
      kind = Kind.GET;
      table = c.table();
      key = c.key();
    } else if (command instanceof Command.Put c) {
      kind = Kind.PUT;
      table = c.table();
      key = c.key();
      value = c.value().toUtf8();
    } else if (command instanceof Command.PutIfAbsent c) {
      kind = Kind.PUT_IF_ABSENT;
      table = c.table();
      key = c.key();
      value = c.value().toUtf8();
    } else if (command instanceof Command.Replace c) {
      kind = Kind.REPLACE;
      table = c.table();
      key = c.key();
      value = c.value().toUtf8();
      expected = c.expectedVersion();
    } else if (command instanceof Command.Remove c) {
      kind = Kind.REMOVE;
      table = c.table();
      key = c.key();
    } else if (command instanceof Command.RemoveVersion c) {
      kind = Kind.REMOVE;
      table = c.table();
      key = c.key();
      expected = c.expectedVersion();
    } else if (command instanceof Command.Increment c) {
      kind = Kind.INCREMENT;
      table = c.table();
      key = c.key();
      value = Long.toString(c.delta());
    } else {
      throw new IllegalArgumentException("histories have no " + command);
    }
    Outcome outcome = outcome(kind, reply);
    return new Operation(
        client,
        kind,
        table,
        key.toUtf8(),
        value,
        expected,
        startNanos,
        endNanos,
        outcome,
        result(table, value, reply));
  }

  private static Outcome outcome(Kind kind, Reply reply) {
    if (reply instanceof Reply.Unknown) {
      return Outcome.UNKNOWN;
    } else if (reply instanceof Reply.Rejected) {
      return Outcome.ERROR;
    } else if (reply instanceof Reply.Conflict) {
      return Outcome.FAILED;
    } else if (reply instanceof Reply.Absent) {
      return kind == Kind.GET ? Outcome.OK : Outcome.FAILED;
    }
    return Outcome.OK;
  }

  private static @Nullable Result result(String table, @Nullable String value, Reply reply) {
    if (reply instanceof Reply.Found found) {
      return new Result(text(table, found.value()), found.version());
    } else if (reply instanceof Reply.Conflict conflict) {
      return new Result(text(table, conflict.value()), conflict.version());
    } else if (reply instanceof Reply.Counter counter) {
      return new Result(Long.toString(counter.value()), counter.version());
    } else if (reply instanceof Reply.Applied applied) {
      return new Result(value, applied.version());
    } else if (reply instanceof Reply.Absent) {
      return new Result(null, 0);
    } else if (reply instanceof Reply.Unknown || reply instanceof Reply.Rejected) {
      return null;
    }
    throw new IllegalStateException("not an answer to an operation on an entry: " + reply);
  }

  /** An entry's value as it stands in a history: counters as numbers. */
  public static String text(String table, Bytes value) {
    if (table.equals(Tables.COUNTERS) && value.length() == Long.BYTES) {
      long number = 0;
      for (int i = 0; i < Long.BYTES; i++) {
        number = number << 8 | (value.at(i) & 0xff);
      }
      return Long.toString(number);
    }
    return value.toUtf8();
  }
}
