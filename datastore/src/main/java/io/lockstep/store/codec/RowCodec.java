package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Row;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Encodes and decodes rows: the number of columns (varint), then for each its name (length, UTF-8)
 * and its value (length, bytes). The names ascend as unsigned bytes, and every number has its
 * shortest form. So equal rows have equal bytes.
 *
 * <p>It reads, writes and removes columns of an encoded row without decoding the others.
 */
public final class RowCodec {
  private static final Comparator<Column> BY_NAME =
      (a, b) -> Arrays.compareUnsigned(a.name, b.name);

  private RowCodec() {}

  private record Column(byte[] name, Bytes value) {}

  /** The bytes of {@code row}. */
  public static Bytes encode(Row row) {
    ByteWriter out = new ByteWriter(64);
    write(out, row);
    return out.toBytes();
  }

  /** Writes the bytes of {@code row}; a reader finds their end without a length. */
  public static void write(ByteWriter out, Row row) {
    Column[] columns = columns(row);
    out.varint(columns.length);
    for (Column column : columns) {
      write(out, column);
    }
  }

  private static void write(ByteWriter out, Column column) {
    out.varint(column.name.length).raw(column.name).bytes(column.value);
  }

  private static Column[] columns(Row row) {
    Column[] columns = new Column[row.columns().size()];
    int count = 0;
    for (Map.Entry<String, Bytes> column : row.columns().entrySet()) {
      columns[count++] = new Column(utf8(column.getKey()), column.getValue());
    }
    // The map is in order already, except for names beyond Unicode's first 65 536 characters.
    Arrays.sort(columns, BY_NAME);
    return columns;
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The row that {@code row} stands for.
   *
   * @throws CodecException if it is no row
   */
  public static Row decode(Bytes row) {
    return decode(row, List.of());
  }

  /** The columns of a row that are in {@code wanted}; all of them if {@code wanted} is empty. */
  public static Row decode(Bytes row, List<String> wanted) {
    byte[][] names = sorted(wanted);
    Map<String, Bytes> columns = new TreeMap<>();
    RowCursor cursor = new RowCursor(row);
    while (cursor.next()) {
      if (names.length == 0 || isIn(cursor, names)) {
        columns.put(cursor.name(), cursor.value());
      }
    }
    return Row.of(columns);
  }

  /** Why {@code row} is no row of an entry, or null if it is one. */
  public static @Nullable String violation(Bytes row) {
    try {
      RowCursor cursor = new RowCursor(row);
      if (cursor.left() == 0) {
        return "a row has at least one column";
      }
      while (cursor.next()) {
        cursor.checkName();
      }
      return null;
    } catch (CodecException malformed) {
      return malformed.getMessage();
    }
  }

  /** The number of columns of an encoded row. */
  public static int size(Bytes row) {
    return new ByteReader(row).varint(Integer.MAX_VALUE);
  }

  /** An encoded row, or none, with the columns of {@code patch} added or replaced. */
  public static Bytes merge(@Nullable Bytes row, Row patch) {
    if (row == null) {
      return encode(patch);
    }
    Column[] columns = columns(patch);
    ByteWriter body = new ByteWriter(row.length() + 64);
    RowCursor cursor = new RowCursor(row);
    int count = 0;
    int next = 0;
    while (cursor.next()) {
      int order = -1;
      while (next < columns.length && (order = cursor.compareName(columns[next].name)) > 0) {
        write(body, columns[next++]);
        count++;
      }
      if (next == columns.length || order < 0) {
        cursor.copyTo(body);
        count++;
      }
    }
    for (; next < columns.length; next++) {
      write(body, columns[next]);
      count++;
    }
    return withCount(count, body);
  }

  /** An encoded row with only those of its columns that are in {@code wanted}. */
  public static Bytes select(Bytes row, List<String> wanted) {
    return filter(row, sorted(wanted), true);
  }

  /** An encoded row without the columns in {@code unwanted}. */
  public static Bytes without(Bytes row, List<String> unwanted) {
    return filter(row, sorted(unwanted), false);
  }

  private static Bytes filter(Bytes row, byte[][] names, boolean keep) {
    ByteWriter body = new ByteWriter(64);
    RowCursor cursor = new RowCursor(row);
    int count = 0;
    while (cursor.next()) {
      if (isIn(cursor, names) == keep) {
        cursor.copyTo(body);
        count++;
      }
    }
    return withCount(count, body);
  }

  private static Bytes withCount(int count, ByteWriter body) {
    ByteWriter out = new ByteWriter(body.size() + 2);
    return out.varint(count).raw(body).toBytes();
  }

  private static byte[][] sorted(List<String> names) {
    byte[][] sorted = new byte[names.size()][];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = utf8(names.get(i));
    }
    Arrays.sort(sorted, Arrays::compareUnsigned);
    return sorted;
  }

  private static boolean isIn(RowCursor cursor, byte[][] sortedNames) {
    int low = 0;
    int high = sortedNames.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int order = cursor.compareName(sortedNames[middle]);
      if (order == 0) {
        return true;
      } else if (order > 0) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return false;
  }

  /**
   * Reads what {@link #write} wrote. It accepts any number and length of names and columns; the
   * state machine checks their bounds.
   */
  static Row read(ByteReader in, int maxColumns, int maxNameBytes) {
    int count = in.count(maxColumns, 2);
    Map<String, Bytes> columns = new TreeMap<>();
    byte[] before = new byte[0];
    for (int i = 0; i < count; i++) {
      int at = in.offset();
      String name = in.utf8(maxNameBytes);
      byte[] encoded = utf8(name);
      if (i > 0 && Arrays.compareUnsigned(before, encoded) >= 0) {
        throw new CodecException(at, "a column's name that follows the one before, found " + name);
      }
      before = encoded;
      columns.put(name, in.bytes(Request.MAX_BYTES));
    }
    return Row.of(columns);
  }
}
