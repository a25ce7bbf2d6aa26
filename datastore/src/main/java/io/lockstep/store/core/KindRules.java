package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.References;
import io.lockstep.store.codec.RowCodec;
import org.jspecify.annotations.Nullable;

/** What a table's kind asks of its values. */
final class KindRules {
  private KindRules() {}

  /** What is wrong with {@code value} as a value of the table, or null where nothing is. */
  static @Nullable String violation(String table, TableSpec spec, Bytes value) {
    return switch (spec.kind()) {
      case VALUES -> null;
      case COLUMNS -> named("a row", table, RowCodec.violation(value));
      case REFERENCES -> named("a list of keys", table, References.violation(value));
      case REFERENCE ->
          value.length() > Limits.KEY_BYTES
              ? named(
                  "a key",
                  table,
                  "it is at most " + Limits.KEY_BYTES + " bytes, not " + value.length())
              : null;
    };
  }

  private static @Nullable String named(String what, String table, @Nullable String violation) {
    return violation == null
        ? null
        : "a value of table \"" + table + "\" is " + what + ": " + violation;
  }
}
