package io.lockstep.bench.compare;

import java.util.List;
import java.util.Map;

/**
 * One operation of a workload. Keys are ASCII, so that they have the same size in every store.
 * Peers are asked {@link Get}, {@link Put}, {@link ReplaceValue}, {@link Increment} and {@link
 * Call}; the others are our store's own. Arrays and maps are shared and never changed.
 */
public sealed interface Operation {

  /** Reads an entry: {@link Answer#value}, null where there is none, and its version. */
  record Get(String table, String key) implements Operation {}

  /**
   * Reads through a reference: the entry that the entry leads to.
   *
   * @param columns of it; empty for a whole value
   */
  record Through(String table, String key, List<String> columns) implements Operation {}

  /** Reads columns of a row. */
  record GetColumns(String table, String key, List<String> columns) implements Operation {}

  /** Writes an entry whatever it was. */
  record Put(String table, String key, byte[] value) implements Operation {}

  /** Writes columns of a row and leaves its others. */
  record PutColumns(String table, String key, Map<String, byte[]> columns) implements Operation {}

  /** Writes an entry where its value is {@code expected}, which travels along. */
  record ReplaceValue(String table, String key, byte[] expected, byte[] value)
      implements Operation {}

  /** Writes an entry where its version is {@code version}. */
  record ReplaceVersion(String table, String key, long version, byte[] value)
      implements Operation {}

  /** Writes columns of a row where its version is {@code version}. */
  record ReplaceColumns(String table, String key, long version, Map<String, byte[]> columns)
      implements Operation {}

  /** Adds one to a counter and gives its new value as {@link Answer#number}. */
  record Increment(String table, String key) implements Operation {}

  /**
   * Runs a procedure inside the store, or its best atomic equivalent.
   *
   * @param other a second key, empty where the procedure takes one
   * @param value what it writes, empty where it takes none
   */
  record Call(Procedure procedure, String key, String other, byte[] value) implements Operation {}

  /**
   * A read that may be answered from the client's cache.
   *
   * @param read a {@link Get} or {@link Through}
   * @param stalenessMillis how long ago the answer may have been right; 0 asks the store, unless
   *     the table has one writer
   */
  record Recent(Operation read, long stalenessMillis) implements Operation {}

  /**
   * Runs a procedure if what it was decided on has not changed: the answer is not done where it
   * has.
   *
   * @param call whose key is that of the pool ({@link Procedure#NEXT_MEMBER}); without one where
   *     the device says it all ({@link Procedure#SEEN})
   * @param decidedOn key of the virtual address or of the device that was read
   * @param version of it that was read
   */
  record CallAt(Call call, String decidedOn, long version) implements Operation {}

  /** Whether this is a conditional replace. */
  default boolean isReplace() {
    return this instanceof ReplaceValue
        || this instanceof ReplaceVersion
        || this instanceof ReplaceColumns;
  }
}
