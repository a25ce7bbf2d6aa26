package io.lockstep.store;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link MicroComponent} sees of the store: all tables, as one atomic operation. Valid only
 * during the call. A name, key or value out of bounds raises {@link IllegalArgumentException},
 * which undoes the call; so does a write in a {@link Command.Query}. The reply to a query that asks
 * for its index, the time or sessions waits for the disk.
 */
public interface Transaction {

  /** The index of this operation: the version of everything it writes. */
  long index();

  /** Consensus-ordered time in milliseconds; never goes back, the same on all replicas. */
  long timeMillis();

  /** The session of the caller. */
  long callerSession();

  /** Whether this session is open. */
  boolean sessionAlive(long sessionId);

  /** The entry, or null. */
  @Nullable Entry get(String table, Bytes key);

  void put(String table, Bytes key, Bytes value);

  /** Removes the entry; false where there was none. */
  boolean remove(String table, Bytes key);

  /** Adds to a counter and gives its new value. */
  long increment(String table, Bytes key, long delta);

  /**
   * Those of {@code columns} that the row has, all of its columns where {@code columns} is empty;
   * null where there is no row.
   */
  @Nullable Row getColumns(String table, Bytes key, List<String> columns);

  /** Writes some columns of a row and leaves the others as they are. */
  void putColumns(String table, Bytes key, Row columns);

  /**
   * Removes columns of a row, all if {@code columns} is empty, and the row with its last column.
   * False if it had none of them.
   */
  boolean removeColumns(String table, Bytes key, List<String> columns);

  /**
   * Reads through a reference table, as {@link Command.GetThrough}; empty where there is no entry
   * {@code key}.
   */
  List<Entry> getThrough(String table, Bytes key, List<String> columns);

  /** Entries in key order; {@code to} is exclusive, null for the end of the table. */
  List<Entry> scan(String table, Bytes from, @Nullable Bytes to, int limit);
}
