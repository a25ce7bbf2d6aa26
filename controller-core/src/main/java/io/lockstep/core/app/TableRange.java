package io.lockstep.core.app;

import io.lockstep.store.Bytes;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Entries of one table with neighbouring keys.
 *
 * @param from the first key, inclusive
 * @param to the end, exclusive; null for the end of the table
 */
public record TableRange(String table, Bytes from, @Nullable Bytes to) {

  /** The whole table. */
  public static TableRange all(String table) {
    return new TableRange(table, Bytes.empty(), null);
  }

  /** The entries whose keys begin with {@code prefix}. */
  public static TableRange prefix(String table, Bytes prefix) {
    byte[] end = prefix.toArray();
    int last = end.length - 1;
    while (last >= 0 && end[last] == (byte) 0xff) {
      last--;
    }
    if (last < 0) {
      return new TableRange(table, prefix, null);
    }
    end[last]++;
    return new TableRange(table, prefix, Bytes.copyOf(Arrays.copyOf(end, last + 1)));
  }
}
