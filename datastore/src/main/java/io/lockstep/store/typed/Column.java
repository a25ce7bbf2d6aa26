package io.lockstep.store.typed;

import io.lockstep.store.Row;
import java.nio.charset.StandardCharsets;

/**
 * One column of the rows of a table.
 *
 * @param name 1 to 64 bytes of UTF-8
 */
public record Column<T>(String name, Codec<T> codec) {
  public Column {
    int length = name.getBytes(StandardCharsets.UTF_8).length;
    if (length < 1 || length > Row.MAX_NAME_BYTES) {
      throw new IllegalArgumentException(
          "column \""
              + name
              + "\": a name is 1 to "
              + Row.MAX_NAME_BYTES
              + " bytes, not "
              + length);
    }
  }
}
