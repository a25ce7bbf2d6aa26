package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Row;
import io.lockstep.store.TableSpec;
import io.lockstep.store.machine.ReplacedMachines;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks the names, sizes and numbers of a command against {@link Limits}, independent of the
 * content of the tables. Each check returns a text that says what is wrong, or null.
 */
final class CommandBounds {
  private CommandBounds() {}

  static @Nullable String violation(Command command) {
    if (command instanceof Command.Get c) {
      return read(c.table(), c.key());
    } else if (command instanceof Command.Put c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.PutIfAbsent c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.Replace c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.Remove c) {
      return write(c.table(), c.key());
    } else if (command instanceof Command.RemoveVersion c) {
      return write(c.table(), c.key());
    } else if (command instanceof Command.Increment c) {
      return write(c.table(), c.key());
    } else if (command instanceof Command.Call c) {
      return call(c.component(), c.argument());
    } else if (command instanceof Command.Query c) {
      return call(c.component(), c.argument());
    } else if (command instanceof Command.Scan c) {
      return scan(c.table(), c.from(), c.to(), c.limit());
    }
    return rareViolation(command);
  }

  private static @Nullable String rareViolation(Command command) {
    if (command instanceof Command.GetColumns c) {
      return read(c.table(), c.key(), c.columns());
    } else if (command instanceof Command.PutColumns c) {
      return write(c.table(), c.key(), c.columns());
    } else if (command instanceof Command.ReplaceColumns c) {
      return write(c.table(), c.key(), c.columns());
    } else if (command instanceof Command.RemoveColumns c) {
      return remove(c.table(), c.key(), c.columns());
    } else if (command instanceof Command.GetThrough c) {
      return read(c.table(), c.key(), c.columns());
    } else if (command instanceof Command.Batch c) {
      return BatchBounds.violation(c);
    } else if (command instanceof Command.ReadChanges c) {
      return changes(c);
    } else if (command instanceof Command.OpenSession c) {
      return openSession(c);
    } else if (command instanceof Command.CreateTable c) {
      return createTable(c);
    }
    return null;
  }

  static @Nullable String read(String table, Bytes key) {
    if (!Limits.isName(table)) {
      return notAName("table", table);
    }
    return key(key);
  }

  static @Nullable String key(Bytes key) {
    return key.length() > Limits.KEY_BYTES
        ? "a key is at most " + Limits.KEY_BYTES + " bytes, not " + key.length()
        : null;
  }

  static @Nullable String read(String table, Bytes key, List<String> columns) {
    String violation = read(table, key);
    return violation == null ? names(columns) : violation;
  }

  static @Nullable String write(String table, Bytes key) {
    return Limits.isSystem(table)
        ? "table " + quoted(table) + " can only be read"
        : read(table, key);
  }

  static @Nullable String write(String table, Bytes key, Bytes value) {
    return value.length() > Limits.VALUE_BYTES ? valueTooLong(value) : write(table, key);
  }

  private static String valueTooLong(Bytes value) {
    return "a value is at most " + Limits.VALUE_BYTES + " bytes, not " + value.length();
  }

  /** The same for a table that can be written. */
  static @Nullable String write(Bytes key, Bytes value) {
    return value.length() > Limits.VALUE_BYTES ? valueTooLong(value) : key(key);
  }

  static @Nullable String write(String table, Bytes key, Row columns) {
    String violation = write(table, key);
    if (violation != null) {
      return violation;
    }
    int count = columns.columns().size();
    if (count < 1 || count > Row.MAX_COLUMNS) {
      return "1 to " + Row.MAX_COLUMNS + " columns are written, not " + count;
    }
    long bytes = 0;
    for (Bytes value : columns.columns().values()) {
      bytes += value.length();
    }
    return bytes > Limits.VALUE_BYTES
        ? "a row is at most " + Limits.VALUE_BYTES + " bytes, not " + bytes
        : eachName(columns.columns().keySet());
  }

  static @Nullable String remove(String table, Bytes key, List<String> columns) {
    String violation = write(table, key);
    return violation == null ? names(columns) : violation;
  }

  private static @Nullable String names(List<String> columns) {
    return columns.size() > Row.MAX_COLUMNS
        ? "at most " + Row.MAX_COLUMNS + " columns are named, not " + columns.size()
        : eachName(columns);
  }

  private static @Nullable String eachName(Iterable<String> columns) {
    for (String column : columns) {
      int length = column.getBytes(StandardCharsets.UTF_8).length;
      if (length < 1 || length > Row.MAX_NAME_BYTES) {
        return "a column's name is 1 to " + Row.MAX_NAME_BYTES + " bytes, not " + length;
      }
      if (!isWellFormed(column)) {
        return "a column's name is not well-formed: it has half of a surrogate pair";
      }
    }
    return null;
  }

  private static boolean isWellFormed(String name) {
    for (int i = 0; i < name.length(); i++) {
      char c = name.charAt(i);
      if (Character.isLowSurrogate(c)) {
        return false;
      }
      if (Character.isHighSurrogate(c)) {
        i++;
        if (i == name.length() || !Character.isLowSurrogate(name.charAt(i))) {
          return false;
        }
      }
    }
    return true;
  }

  static @Nullable String scan(String table, Bytes from, @Nullable Bytes to, int limit) {
    if (!Limits.isName(table)) {
      return notAName("table", table);
    }
    // One byte more than a key, so that a scan can continue directly after the longest key.
    int most = Limits.KEY_BYTES + 1;
    int longest = Math.max(from.length(), to == null ? 0 : to.length());
    if (longest > most) {
      return "the end of a range is at most " + most + " bytes, not " + longest;
    }
    return limit(limit);
  }

  private static @Nullable String limit(int limit) {
    return limit < 1 || limit > Limits.RANGE_ENTRIES
        ? "a limit is 1 to " + Limits.RANGE_ENTRIES + ", not " + limit
        : null;
  }

  private static @Nullable String call(String component, Bytes argument) {
    if (!Limits.isName(component)) {
      return notAName("component", component);
    }
    return argument.length() > Limits.VALUE_BYTES
        ? "an argument is at most " + Limits.VALUE_BYTES + " bytes, not " + argument.length()
        : null;
  }

  private static @Nullable String changes(Command.ReadChanges read) {
    int count = read.tables().size();
    if (count < 1 || count > Limits.WATCHED_TABLES) {
      return "changes are read of 1 to " + Limits.WATCHED_TABLES + " tables, not " + count;
    }
    for (String table : read.tables()) {
      if (!Limits.isName(table)) {
        return notAName("table", table);
      }
    }
    return read.afterIndex() < 0
        ? "an index is 0 or more, not " + read.afterIndex()
        : limit(read.limit());
  }

  private static @Nullable String openSession(Command.OpenSession open) {
    int owner = open.owner().getBytes(StandardCharsets.UTF_8).length;
    if (owner > Limits.OWNER_BYTES) {
      return "an owner is at most " + Limits.OWNER_BYTES + " bytes, not " + owner;
    }
    int timeToLive = open.timeToLiveMillis();
    return timeToLive < Limits.MIN_TIME_TO_LIVE_MILLIS
            || timeToLive > Limits.MAX_TIME_TO_LIVE_MILLIS
        ? "a time to live is "
            + Limits.MIN_TIME_TO_LIVE_MILLIS
            + " to "
            + Limits.MAX_TIME_TO_LIVE_MILLIS
            + " ms, not "
            + timeToLive
        : null;
  }

  private static @Nullable String createTable(Command.CreateTable create) {
    if (!Limits.isName(create.table())) {
      return notAName("table", create.table());
    }
    if (Limits.isSystem(create.table())) {
      return "names that begin with sys. are the store's own: " + quoted(create.table());
    }
    if (create.table().equals(ReplacedMachines.TABLE)
        && create.spec().kind() != TableSpec.Kind.VALUES) {
      return "table " + quoted(create.table()) + " is one of values";
    }
    String target = create.spec().target();
    return target != null && !Limits.isName(target) ? notAName("table", target) : null;
  }

  private static String notAName(String what, String name) {
    return "not the name of a "
        + what
        + " (1 to "
        + Limits.NAME_CHARS
        + " of a-z, 0-9, dot and dash; a letter first): "
        + quoted(name);
  }

  private static String quoted(String name) {
    return '"'
        + (name.length() > Limits.NAME_CHARS ? name.substring(0, Limits.NAME_CHARS) + "..." : name)
        + '"';
  }
}
