package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** The bounds of the store. They are the same on every replica, or the replicas would differ. */
public final class Limits {
  /** A table's or component's name, in characters. */
  public static final int NAME_CHARS = 64;

  /** A key, in bytes. */
  public static final int KEY_BYTES = 1 << 10;

  /** A value, a component's argument or its result, in bytes. */
  public static final int VALUE_BYTES = 1 << 20;

  /** Entries of one scan, changes of one answer (but for those of one operation). */
  public static final int RANGE_ENTRIES = 10_000;

  /**
   * A scan or an answer with changes ends early, as if the limit had been reached, once it is this
   * long in bytes.
   */
  public static final int RANGE_BYTES = 1 << 20;

  /** Tables that one {@link Command.ReadChanges} names. */
  public static final int WATCHED_TABLES = 64;

  /** Tables, the store's own included. */
  public static final int TABLES = 1024;

  /** Keys that one call of a micro component writes. */
  public static final int CALL_WRITES = 10_000;

  /** Open sessions. */
  public static final int SESSIONS = 4096;

  /** A session's owner, in bytes of UTF-8. */
  public static final int OWNER_BYTES = 128;

  /** A session's shortest time to live, in milliseconds. */
  public static final int MIN_TIME_TO_LIVE_MILLIS = 500;

  /** A session's longest time to live, in milliseconds. */
  public static final int MAX_TIME_TO_LIVE_MILLIS = 600_000;

  /**
   * A session's operation ids lie within this span, from the lowest that is not acknowledged on.
   */
  public static final int UNACKNOWLEDGED_OPERATIONS = 1 << 16;

  /** Recorded replies that a session has not acknowledged, in bytes. */
  public static final long UNACKNOWLEDGED_BYTES = 64L << 20;

  private static final String SYSTEM_PREFIX = "sys.";

  private Limits() {}

  /** Whether {@code name} may name a table or a component: {@code [a-z][a-z0-9.-]{0,63}}. */
  public static boolean isName(String name) {
    int length = name.length();
    if (length == 0 || length > NAME_CHARS || !isLetter(name.charAt(0))) {
      return false;
    }
    for (int i = 1; i < length; i++) {
      char c = name.charAt(i);
      if (!isLetter(c) && !(c >= '0' && c <= '9') && c != '.' && c != '-') {
        return false;
      }
    }
    return true;
  }

  /** Whether a table is the store's own: everybody can read it, nobody can write it. */
  static boolean isSystem(String table) {
    return table.startsWith(SYSTEM_PREFIX);
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  /** What is wrong with a command's names, sizes and numbers, or null where nothing is. */
  public static @Nullable String violation(Command command) {
    if (command instanceof Command.Get c) {
      return read(c.table(), c.key());
    } else if (command instanceof Command.Put c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.PutIfAbsent c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.Replace c) {
      return write(c.table(), c.key(), c.value());
    } else if (command instanceof Command.Remove c) {
      return write(c.table(), c.key(), Bytes.empty());
    } else if (command instanceof Command.RemoveVersion c) {
      return write(c.table(), c.key(), Bytes.empty());
    } else if (command instanceof Command.Increment c) {
      return write(c.table(), c.key(), Bytes.empty());
    } else if (command instanceof Command.Call c) {
      return call(c);
    } else if (command instanceof Command.Scan c) {
      return scan(c.table(), c.from(), c.to(), c.limit());
    } else if (command instanceof Command.ReadChanges c) {
      return changes(c);
    } else if (command instanceof Command.OpenSession c) {
      return openSession(c);
    } else if (command instanceof Command.CreateTable c) {
      return createTable(c);
    }
    return null;
  }

  private static @Nullable String createTable(Command.CreateTable create) {
    if (!isName(create.table())) {
      return notAName("table", create.table());
    }
    if (isSystem(create.table())) {
      return "names that begin with " + SYSTEM_PREFIX + " are the store's: " + create.table();
    }
    String target = create.spec().target();
    return target != null && !isName(target) ? notAName("table", target) : null;
  }

  static @Nullable String read(String table, Bytes key) {
    if (!isName(table)) {
      return notAName("table", table);
    }
    return key.length() > KEY_BYTES
        ? "a key is at most " + KEY_BYTES + " bytes, not " + key.length()
        : null;
  }

  static @Nullable String write(String table, Bytes key, Bytes value) {
    if (isSystem(table)) {
      return "table " + quoted(table) + " can only be read";
    }
    if (value.length() > VALUE_BYTES) {
      return "a value is at most " + VALUE_BYTES + " bytes, not " + value.length();
    }
    return read(table, key);
  }

  static @Nullable String scan(String table, Bytes from, @Nullable Bytes to, int limit) {
    if (!isName(table)) {
      return notAName("table", table);
    }
    // One byte more than a key, so that a scan can continue right behind the longest one.
    if (from.length() > KEY_BYTES + 1 || (to != null && to.length() > KEY_BYTES + 1)) {
      return "the end of a range is at most " + (KEY_BYTES + 1) + " bytes";
    }
    return limit(limit);
  }

  private static @Nullable String limit(int limit) {
    return limit < 1 || limit > RANGE_ENTRIES
        ? "a limit is 1 to " + RANGE_ENTRIES + ", not " + limit
        : null;
  }

  private static @Nullable String call(Command.Call call) {
    if (!isName(call.component())) {
      return notAName("component", call.component());
    }
    return call.argument().length() > VALUE_BYTES
        ? "an argument is at most " + VALUE_BYTES + " bytes, not " + call.argument().length()
        : null;
  }

  private static @Nullable String changes(Command.ReadChanges read) {
    int count = read.tables().size();
    if (count < 1 || count > WATCHED_TABLES) {
      return "changes are read of 1 to " + WATCHED_TABLES + " tables, not " + count;
    }
    for (String table : read.tables()) {
      if (!isName(table)) {
        return notAName("table", table);
      }
    }
    return read.afterIndex() < 0 ? "an index is 0 or more" : limit(read.limit());
  }

  private static @Nullable String openSession(Command.OpenSession open) {
    if (open.owner().getBytes(StandardCharsets.UTF_8).length > OWNER_BYTES) {
      return "an owner is at most " + OWNER_BYTES + " bytes";
    }
    int timeToLive = open.timeToLiveMillis();
    return timeToLive < MIN_TIME_TO_LIVE_MILLIS || timeToLive > MAX_TIME_TO_LIVE_MILLIS
        ? "a time to live is "
            + MIN_TIME_TO_LIVE_MILLIS
            + " to "
            + MAX_TIME_TO_LIVE_MILLIS
            + " ms, not "
            + timeToLive
        : null;
  }

  private static String notAName(String what, String name) {
    return "not the name of a " + what + ": " + quoted(name);
  }

  private static String quoted(String name) {
    return '"' + (name.length() > NAME_CHARS ? name.substring(0, NAME_CHARS) + "..." : name) + '"';
  }
}
