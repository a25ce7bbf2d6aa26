package io.lockstep.store;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Named columns, in the order of their names: the value of an entry of a column table. Immutable.
 * As bytes it is what {@link io.lockstep.store.codec.RowCodec} makes of it.
 */
public final class Row {
  /** Columns of one row, at most. */
  public static final int MAX_COLUMNS = 1024;

  /** A column's name, in bytes of UTF-8; at least 1. */
  public static final int MAX_NAME_BYTES = 64;

  private final SortedMap<String, Bytes> columns;

  private Row(SortedMap<String, Bytes> columns) {
    this.columns = Collections.unmodifiableSortedMap(columns);
  }

  /** A row of these columns. */
  public static Row of(Map<String, Bytes> columns) {
    return new Row(new TreeMap<>(columns));
  }

  /** The columns by name. */
  public SortedMap<String, Bytes> columns() {
    return columns;
  }

  /** The column, or null. */
  public @Nullable Bytes get(String column) {
    return columns.get(column);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Row row && columns.equals(row.columns);
  }

  @Override
  public int hashCode() {
    return columns.hashCode();
  }

  @Override
  public String toString() {
    return columns.toString();
  }
}
