package io.lockstep.store.core;

import io.lockstep.store.Command;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The bounds of the store, the same on every replica: with different bounds, replicas would come to
 * different states.
 */
public final class Limits {
  /** A table's or component's name, in characters. */
  public static final int NAME_CHARS = 64;

  /** A key, in bytes. */
  public static final int KEY_BYTES = 1 << 10;

  /** A value, a component's argument or its result, in bytes. */
  public static final int VALUE_BYTES = 1 << 20;

  /**
   * Entries of one scan, changes of one answer (but for those of one operation), references that
   * are followed to answer one {@link Command.GetThrough}.
   */
  public static final int RANGE_ENTRIES = 10_000;

  /**
   * Bytes of one scan or of one answer with changes: beyond this length it ends early, as if the
   * limit of entries had been reached. A {@link Command.GetThrough} that finds more is refused.
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
   * The span of a session's operation ids, counted from the lowest one that is not acknowledged.
   */
  public static final int UNACKNOWLEDGED_OPERATIONS = 1 << 16;

  /** Under rules 1, recorded replies that a session has not acknowledged, in bytes. */
  public static final long UNACKNOWLEDGED_BYTES = 64L << 20;

  /** Commands of one batch, and so many guards beside them. */
  public static final int BATCH_COMMANDS = 1024;

  /** A batch's names, keys, values and columns together, in bytes. */
  public static final int BATCH_BYTES = 1 << 20;

  /** The replies to a batch's commands together, in bytes. */
  public static final int BATCH_REPLY_BYTES = 2 << 20;

  /**
   * The replies to a request that only reads together, in bytes, but for those to its first
   * command.
   */
  public static final int READ_BYTES = 1 << 20;

  /**
   * The replies to a request that does not only read together, but for that to its first command.
   */
  public static final int REQUEST_REPLY_BYTES = 4 << 20;

  /**
   * Memory of the replies to the requests of one batch beside the state, in bytes. Later replies of
   * the batch are dropped, and their clients ask again.
   */
  static final int BATCH_OWN_BYTES = 16 << 20;

  /** Keys and values that one batch, or one call of a micro component, writes, in bytes. */
  public static final int TRANSACTION_BYTES = 16 << 20;

  static final String SYSTEM_PREFIX = "sys.";

  /**
   * Prefixes of the names of tables in which the nodes keep the members, the domains and their
   * masters. Part of rules 2: another list needs a new number of rules.
   */
  private static final List<String> CLUSTER_PREFIXES = List.of("cluster.", "core.", "mastership.");

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

  /** Whether a table is the store's own, which clients can read and not write. */
  static boolean isSystem(String table) {
    return table.startsWith(SYSTEM_PREFIX);
  }

  /** Whether a table is one of the cluster's own, for which {@link EntryRoom} keeps a reserve. */
  static boolean isOfCluster(String table) {
    for (String prefix : CLUSTER_PREFIXES) {
      if (table.startsWith(prefix)) {
        return true;
      }
    }
    return false;
  }

  private static boolean isLetter(char c) {
    return c >= 'a' && c <= 'z';
  }

  /** What is wrong with a command's names, sizes and numbers, or null where nothing is. */
  public static @Nullable String violation(Command command) {
    return CommandBounds.violation(command);
  }
}
