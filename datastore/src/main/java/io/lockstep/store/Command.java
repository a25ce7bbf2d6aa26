package io.lockstep.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * An operation on the store. Every operation is ordered, reads included, so each is linearizable;
 * each takes effect at most once however often it is sent.
 *
 * <p>Table names match {@code [a-z][a-z0-9.-]{0,63}}; names that begin with {@code sys.} belong to
 * the store and can only be read. Keys are at most 1 KiB, values at most 1 MiB. A command outside
 * these bounds is answered with {@link Reply.Rejected}, and so is one on a table that does not
 * exist or is of another kind.
 *
 * <p>A whole value of a column table is an encoded row ({@link io.lockstep.store.codec.RowCodec}),
 * one of a table of references an encoded list ({@link io.lockstep.store.codec.References}).
 */
public sealed interface Command {

  /**
   * Whether it only reads entries: it changes nothing, and its reply tells nothing of the order but
   * what was read.
   */
  default boolean isRead() {
    return this instanceof Get
        || this instanceof Scan
        || this instanceof GetColumns
        || this instanceof GetThrough
        || this instanceof Query;
  }

  /** The one table that it names; null where it names none or several. */
  default @Nullable String table() {
    return null;
  }

  /** Reads an entry: {@link Reply.Found} or {@link Reply.Absent}. */
  record Get(String table, Bytes key) implements Command {}

  /** Writes an entry whatever it was: {@link Reply.Applied}. */
  record Put(String table, Bytes key, Bytes value) implements Command {}

  /** Writes an entry where there was none: {@link Reply.Applied} or {@link Reply.Conflict}. */
  record PutIfAbsent(String table, Bytes key, Bytes value) implements Command {}

  /**
   * Compare-and-set: writes an entry if its version is {@code expectedVersion}: {@link
   * Reply.Applied}, {@link Reply.Conflict} or {@link Reply.Absent}.
   */
  record Replace(String table, Bytes key, long expectedVersion, Bytes value) implements Command {}

  /** Removes an entry whatever it was: {@link Reply.Applied} or {@link Reply.Absent}. */
  record Remove(String table, Bytes key) implements Command {}

  /**
   * Compare-and-remove: removes an entry if its version is {@code expectedVersion}: {@link
   * Reply.Applied}, {@link Reply.Conflict} or {@link Reply.Absent}.
   */
  record RemoveVersion(String table, Bytes key, long expectedVersion) implements Command {}

  /**
   * Reads entries in key order: {@link Reply.Entries}. The reply ends early, as if the limit had
   * been reached, once it is 1 MiB long.
   *
   * @param from first key, inclusive
   * @param to end of the range, exclusive; null for the end of the table
   * @param limit at most this many entries, 1 to 10 000
   */
  record Scan(String table, Bytes from, @Nullable Bytes to, int limit) implements Command {}

  /**
   * Adds {@code delta} to a counter (an entry whose value is 8 bytes, big-endian; absent counts as
   * 0): {@link Reply.Counter} with the new value.
   */
  record Increment(String table, Bytes key, long delta) implements Command {}

  /** Runs a micro component inside the replicas, atomically: {@link Reply.Returned}. */
  record Call(String component, Bytes argument) implements Command {}

  /**
   * Runs a micro component that only reads, atomically: {@link Reply.Returned}. One that writes is
   * refused: {@link Reply.Reason#COMPONENT_REFUSED}. Cheaper than a {@link Call}: nothing is kept
   * of it, and its reply waits for no disk unless what it read is not durable yet.
   */
  record Query(String component, Bytes argument) implements Command {}

  /**
   * Reads the changes of {@code tables} with an index above {@code afterIndex}, in order: {@link
   * Reply.Changes} or, where the history no longer reaches back so far, {@link Reply.Compacted}.
   *
   * @param tables 1 to 64 tables
   * @param afterIndex 0 or more; above the present index there is nothing, so that {@link
   *     Long#MAX_VALUE} asks only for the present index
   * @param limit 1 to 10 000: at most about this many changes, and about 1 MiB of them; those of
   *     one operation are never split
   */
  record ReadChanges(List<String> tables, long afterIndex, int limit) implements Command {
    public ReadChanges {
      tables = List.copyOf(tables);
    }
  }

  /**
   * Opens a session: {@link Reply.SessionOpened}. The session is an entry of the table {@code
   * sys.sessions} (key: id as 8 bytes) until it is closed or expires, so its end can be watched.
   *
   * @param nonce drawn at random by the client, so that a retry opens no second session
   * @param owner free text that says whose session it is, at most 128 bytes of UTF-8; the value of
   *     the entry
   * @param timeToLiveMillis the session ends this long after its last sign of life, in
   *     consensus-ordered time, which stands still while there is no quorum; 500 to 600 000
   */
  record OpenSession(long nonce, String owner, int timeToLiveMillis) implements Command {}

  /** Keeps the sender's session alive: {@link Reply.Applied}. */
  record KeepAlive() implements Command {}

  /**
   * Ends a session: {@link Reply.Applied} or {@link Reply.Absent}. The owner closes its own; a
   * witness ends that of a process it knows to be dead.
   */
  record CloseSession(long sessionId) implements Command {}

  /**
   * Declares a table; every other command refuses a table that was not declared. The catalogue is
   * the table {@code sys.tables} (key: the name; value: the encoded spec), so it can be read and
   * watched. Declaring a table again in the same way changes nothing: {@link Reply.Applied} with
   * the version of the first time. {@link Reply.Rejected} with {@link Reply.Reason#WRONG_KIND}
   * where the table exists otherwise, where a reference's target does not exist, or where
   * references would form a circle.
   */
  record CreateTable(String table, TableSpec spec) implements Command {}

  /**
   * Reads through a reference table, and through further ones, to the entries at the end (section
   * IV-A of the paper): {@link Reply.Resolved}, or {@link Reply.Absent} where there is no entry
   * {@code key}. It follows at most 10 000 references and returns about 1 MiB of entries; more is
   * {@link Reply.Reason#OUT_OF_BOUNDS}.
   *
   * @param columns of the entries in a column table at the end; empty for all
   */
  record GetThrough(String table, Bytes key, List<String> columns) implements Command {
    public GetThrough {
      columns = List.copyOf(columns);
    }
  }

  /**
   * Reads columns of a row: {@link Reply.Columns} or {@link Reply.Absent}. Columns that the row
   * does not have are left out.
   *
   * @param columns empty for all
   */
  record GetColumns(String table, Bytes key, List<String> columns) implements Command {
    public GetColumns {
      columns = List.copyOf(columns);
    }
  }

  /** Writes some columns of a row and leaves the others as they are: {@link Reply.Applied}. */
  record PutColumns(String table, Bytes key, Row columns) implements Command {}

  /**
   * The same if the row's version is {@code expectedVersion}: {@link Reply.Applied}, {@link
   * Reply.Conflict} or {@link Reply.Absent}.
   */
  record ReplaceColumns(String table, Bytes key, long expectedVersion, Row columns)
      implements Command {}

  /**
   * Removes columns of a row, and the row with its last column: {@link Reply.Applied}, or {@link
   * Reply.Absent} where it had none of them.
   *
   * @param columns empty for all
   */
  record RemoveColumns(String table, Bytes key, List<String> columns) implements Command {
    public RemoveColumns {
      columns = List.copyOf(columns);
    }
  }

  /**
   * Several commands as one operation, all or none, under one index: {@link Reply.Batched}, or
   * {@link Reply.BatchRefused} at the first guard or command that fails.
   *
   * @param guards what must hold before, at most 1024; for writes, the versions that they were
   *     decided on
   * @param commands at most 1024, 1 MiB together; reads and writes of entries and columns, and
   *     increments. Each sees what those before it did; their replies are at most 2 MiB together
   */
  record Batch(List<Guard> guards, List<Command> commands) implements Command {
    public Batch {
      guards = List.copyOf(guards);
      commands = List.copyOf(commands);
    }
  }

  /**
   * Holds while an entry has a version.
   *
   * @param version 0 where there must be no entry
   */
  record Guard(String table, Bytes key, long version) {}
}
