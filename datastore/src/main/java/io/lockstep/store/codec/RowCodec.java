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
 * Rows as bytes: the number of columns (varint), then for each its name (length, UTF-8) and its
 * value (length, bytes), the names ascending as unsigned bytes, every number as short as it can be.
 * So equal rows are equal bytes.
 *
 * <p>Some columns of an encoded row are read, written and removed without decoding the others.
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

  /** Writes the bytes of {@code row}, which tell their own end. */
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
    // In order already, but for names beyond Unicode's first 65 536 characters.
    Arrays.sort(columns, BY_NAME);
    return columns;
  }

  private static byte[] utf8(String name) {
    return name.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * The row that {@code row} stands for.
   *
   * @throws CodecException where it is none
   */
  public static Row decode(Bytes row) {
    return decode(row, List.of());
  }

  /** Those of its columns that are in {@code wanted}, or all where that is empty. */
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

  /** What is wrong with {@code row} as the row of an entry, or null where nothing is. */
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

  /** How many columns an encoded row has. */
  public static int size(Bytes row) {
    return new ByteReader(row).varint(Integer.MAX_VALUE);
  }

  /** An encoded row, or none, with the columns of {@code patch} in place of its own. */
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
   * Reads what {@link #write} wrote, names and columns of any number and length: whether they are
   * within their bounds is for the state machine to say.
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
