package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import org.jspecify.annotations.Nullable;

/** What a table's kind asks of its values. */
final class KindRules {
  private KindRules() {}

  /** What is wrong with {@code value} as a value of {@code table}, or null where nothing is. */
  static @Nullable String violation(TableOperations table, Bytes value) {
    return switch (table.spec().kind()) {
      case VALUES, COLUMNS, REFERENCES -> null;
      case REFERENCE ->
          value.length() > Limits.KEY_BYTES
              ? "a value of table \""
                  + table.name()
                  + "\" is a key, at most "
                  + Limits.KEY_BYTES
                  + " bytes, not "
                  + value.length()
              : null;
    };
  }
}
