package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks the bounds of a batch, independent of the content of the tables. A batch never counts for
 * more bytes than its request has, so this check refuses no batch that a log can hold.
 */
final class BatchBounds {
  private BatchBounds() {}

  static @Nullable String violation(Command.Batch batch) {
    int guards = batch.guards().size();
    int commands = batch.commands().size();
    if (guards > Limits.BATCH_COMMANDS || commands > Limits.BATCH_COMMANDS) {
      return "a batch has at most "
          + Limits.BATCH_COMMANDS
          + " guards and as many commands, not "
          + guards
          + " and "
          + commands;
    }
    if (guards + commands == 0) {
      return "a batch has a command or a guard";
    }
    long bytes = 0;
    for (int i = 0; i < guards; i++) {
      Command.Guard guard = batch.guards().get(i);
      String violation = violation(guard);
      if (violation != null) {
        return "guard " + i + ": " + violation;
      }
      bytes += guard.table().length() + guard.key().length();
    }
    for (int i = 0; i < commands; i++) {
      Command command = batch.commands().get(i);
      String violation =
          isPart(command)
              ? CommandBounds.violation(command)
              : command.getClass().getSimpleName() + " cannot be part of a batch";
      if (violation != null) {
        return "command " + i + " of a batch: " + violation;
      }
      bytes += bytesOf(command);
    }
    return bytes > Limits.BATCH_BYTES
        ? "a batch is at most " + Limits.BATCH_BYTES + " bytes, not " + bytes
        : null;
  }

  private static @Nullable String violation(Command.Guard guard) {
    return guard.version() < 0
        ? "a version is 0 or more, not " + guard.version()
        : CommandBounds.read(guard.table(), guard.key());
  }

  /** Whether the command reads or writes entries and nothing else. */
  private static boolean isPart(Command command) {
    return !(command instanceof Command.Call
        || command instanceof Command.Query
        || command instanceof Command.ReadChanges
        || command instanceof Command.OpenSession
        || command instanceof Command.KeepAlive
        || command instanceof Command.CloseSession
        || command instanceof Command.CreateTable
        || command instanceof Command.Batch);
  }

  /** Names, key, value and columns of a command that can be part of a batch. */
  private static long bytesOf(Command command) {
    if (command instanceof Command.Put c) {
      return bytesOf(c.table(), c.key()) + c.value().length();
    } else if (command instanceof Command.PutIfAbsent c) {
      return bytesOf(c.table(), c.key()) + c.value().length();
    } else if (command instanceof Command.Replace c) {
      return bytesOf(c.table(), c.key()) + c.value().length();
    } else if (command instanceof Command.Get c) {
      return bytesOf(c.table(), c.key());
    } else if (command instanceof Command.Remove c) {
      return bytesOf(c.table(), c.key());
    } else if (command instanceof Command.RemoveVersion c) {
      return bytesOf(c.table(), c.key());
    } else if (command instanceof Command.Increment c) {
      return bytesOf(c.table(), c.key());
    } else if (command instanceof Command.Scan c) {
      Bytes to = c.to();
      return bytesOf(c.table(), c.from()) + (to == null ? 0 : to.length());
    } else if (command instanceof Command.PutColumns c) {
      return bytesOf(c.table(), c.key()) + bytesOf(c.columns());
    } else if (command instanceof Command.ReplaceColumns c) {
      return bytesOf(c.table(), c.key()) + bytesOf(c.columns());
    } else if (command instanceof Command.RemoveColumns c) {
      return bytesOf(c.table(), c.key()) + bytesOf(c.columns());
    } else if (command instanceof Command.GetColumns c) {
      return bytesOf(c.table(), c.key()) + bytesOf(c.columns());
    } else if (command instanceof Command.GetThrough c) {
      return bytesOf(c.table(), c.key()) + bytesOf(c.columns());
    }
    throw new IllegalStateException("not part of a batch: " + command);
  }

  private static long bytesOf(String table, Bytes key) {
    return (long) table.length() + key.length();
  }

  /**
   * Counts, beside name and value, the lengths that a request writes before them: a batch can
   * consist of columns only.
   */
  private static long bytesOf(Row row) {
    long bytes = 0;
    for (Map.Entry<String, Bytes> column : row.columns().entrySet()) {
      bytes += bytesOf(column.getKey()) + 1 + column.getValue().length();
    }
    return bytes;
  }

  private static long bytesOf(List<String> columns) {
    long bytes = 0;
    for (String column : columns) {
      bytes += bytesOf(column);
    }
    return bytes;
  }

  private static long bytesOf(String column) {
    return 1L + column.getBytes(StandardCharsets.UTF_8).length;
  }
}
