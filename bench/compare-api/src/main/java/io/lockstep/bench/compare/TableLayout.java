package io.lockstep.bench.compare;

import org.jspecify.annotations.Nullable;

/**
 * A table of a workload.
 *
 * @param kind what it holds
 * @param target the table that a reference table leads to, else null
 * @param keyBytes length of its keys
 */
public record TableLayout(String name, Kind kind, @Nullable String target, int keyBytes) {

  /** What tables hold. */
  public enum Kind {
    VALUES,
    COLUMNS,
    REFERENCE
  }

  /** Operation id, tag and two lengths around table and key, as our store's requests have them. */
  private static final int GET_ENVELOPE_BYTES = 4;

  private static final int ONE_BYTE_LENGTH = 127;

  /** A table of values in which a read's request has {@code getBytes}. */
  static TableLayout values(String name, int getBytes) {
    return new TableLayout(name, Kind.VALUES, null, keyBytes(name, getBytes));
  }

  /** A table of rows in which a read's request, without column names, has {@code getBytes}. */
  static TableLayout columns(String name, int getBytes) {
    return new TableLayout(name, Kind.COLUMNS, null, keyBytes(name, getBytes));
  }

  /** A table of references in which a read's request has {@code getBytes}. */
  static TableLayout reference(String name, String target, int getBytes) {
    return new TableLayout(name, Kind.REFERENCE, target, keyBytes(name, getBytes));
  }

  private static int keyBytes(String name, int getBytes) {
    int length = getBytes - GET_ENVELOPE_BYTES - name.length();
    return length > ONE_BYTE_LENGTH ? length - 1 : length;
  }

  /** The key of this number: digits and padding, exactly {@link #keyBytes} long. */
  String key(long number) {
    return key('k', number);
  }

  /** The key of this number among those that begin with {@code first}. */
  String key(char first, long number) {
    String digits = Long.toString(number);
    int padding = keyBytes - 1 - digits.length();
    if (padding < 0) {
      throw new IllegalArgumentException(number + " in a key of " + keyBytes + " bytes of " + name);
    }
    return first + "0".repeat(padding) + digits;
  }
}
