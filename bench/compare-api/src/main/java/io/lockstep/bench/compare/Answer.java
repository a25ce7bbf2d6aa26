package io.lockstep.bench.compare;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a store answered.
 *
 * @param done whether a write took effect, or a read found something; a conditional replace that is
 *     not done failed on its condition
 * @param value that was read or returned; null where there is none
 * @param columns that were read; empty where the operation reads none
 * @param number a counter's new value, or the version of what was read (0 where the store has none)
 */
public record Answer(
    boolean done, byte @Nullable [] value, Map<String, byte[]> columns, long number) {
  private static final Answer DONE = new Answer(true, null, Map.of(), 0);
  private static final Answer REFUSED = new Answer(false, null, Map.of(), 0);

  /** A write that took effect. */
  public static Answer written() {
    return DONE;
  }

  /** Nothing was found, or a condition did not hold. */
  public static Answer nothing() {
    return REFUSED;
  }

  /** A write that took effect or not. */
  public static Answer of(boolean done) {
    return done ? DONE : REFUSED;
  }

  /** A value that was read, or null. */
  public static Answer of(byte @Nullable [] value, long version) {
    return value == null ? REFUSED : new Answer(true, value, Map.of(), version);
  }

  /** A row that was read. */
  public static Answer of(Map<String, byte[]> columns, long version) {
    return new Answer(true, null, columns, version);
  }

  /** A counter. */
  public static Answer counter(long value) {
    return new Answer(true, null, Map.of(), value);
  }

  /** The value, which must be there. */
  public byte[] found() {
    if (value == null) {
      throw new IllegalStateException("the store has lost what was put into it: " + this);
    }
    return value;
  }

  /** The column, which must be there. */
  public byte[] column(String name) {
    byte[] column = columns.get(name);
    if (column == null) {
      throw new IllegalStateException("no column " + name + " among " + columns.keySet());
    }
    return column;
  }
}
