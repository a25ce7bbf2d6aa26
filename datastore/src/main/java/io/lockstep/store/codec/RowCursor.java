package io.lockstep.store.codec;

import io.lockstep.store.Bytes;
import io.lockstep.store.Row;
import java.util.Arrays;

/**
 * Iterates over the columns of an encoded row without copying them. See {@link RowCodec} for the
 * layout; a row that violates it is refused with {@link CodecException}.
 */
final class RowCursor {
  private static final int MIN_COLUMN_BYTES = 3;

  private final byte[] octets;
  private final ByteReader in;
  private int left;
  private int start;
  private int nameAt;
  private int nameLength;
  private int valueAt;

  /** A cursor before the first column of {@code row}. */
  RowCursor(Bytes row) {
    octets = row.shared();
    in = new ByteReader(octets);
    left = in.shortestVarint(Row.MAX_COLUMNS);
    if ((long) left * MIN_COLUMN_BYTES > in.remaining()) {
      throw new CodecException(0, left + " columns, " + in.remaining() + " bytes are left");
    }
  }

  /** The number of columns that follow. */
  int left() {
    return left;
  }

  /** Moves to the next column; false after the last. */
  boolean next() {
    if (left == 0) {
      in.end();
      return false;
    }
    left--;
    int beforeAt = nameAt;
    int beforeLength = nameLength;
    start = in.offset();
    nameLength = in.shortestVarint(Row.MAX_NAME_BYTES);
    nameAt = in.offset();
    if (nameLength == 0) {
      throw new CodecException(start, "a column's name of 1 byte or more");
    }
    in.skip(nameLength);
    if (beforeLength > 0
        && Arrays.compareUnsigned(
                octets, beforeAt, beforeAt + beforeLength, octets, nameAt, nameAt + nameLength)
            >= 0) {
      throw new CodecException(start, "a column's name that follows the one before");
    }
    int valueLength = in.shortestVarint(Integer.MAX_VALUE);
    valueAt = in.offset();
    in.skip(valueLength);
    return true;
  }

  /** Compares the column's name with one in UTF-8. */
  int compareName(byte[] name) {
    return Arrays.compareUnsigned(octets, nameAt, nameAt + nameLength, name, 0, name.length);
  }

  /** The column's name; throws if it is not well-formed UTF-8. */
  String name() {
    ByteReader name = new ByteReader(octets);
    name.skip(start);
    return name.utf8(Row.MAX_NAME_BYTES);
  }

  /** Throws if the column's name is not well-formed UTF-8. */
  void checkName() {
    for (int i = nameAt; i < nameAt + nameLength; i++) {
      if (octets[i] < 0) {
        name();
        return;
      }
    }
  }

  /** A copy of the column's value. */
  Bytes value() {
    return Bytes.wrap(Arrays.copyOfRange(octets, valueAt, in.offset()));
  }

  /** Writes the column, name and value, unchanged. */
  void copyTo(ByteWriter out) {
    out.raw(octets, start, in.offset() - start);
  }
}
