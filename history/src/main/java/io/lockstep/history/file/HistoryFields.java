package io.lockstep.history.file;

import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Names in history files. */
final class HistoryFields {
  static final String CLIENT = "client";
  static final String OP = "op";
  static final String TABLE = "table";
  static final String KEY = "key";
  static final String VALUE = "value";
  static final String EXPECTED_VERSION = "expectedVersion";
  static final String START_NANOS = "startNanos";
  static final String END_NANOS = "endNanos";
  static final String OUTCOME = "outcome";
  static final String RESULT = "result";
  static final String VERSION = "version";

  private HistoryFields() {}

  static String name(Kind kind) {
    return kind == Kind.PUT_IF_ABSENT ? "putIfAbsent" : kind.name().toLowerCase(Locale.ROOT);
  }

  static String name(Outcome outcome) {
    return outcome.name().toLowerCase(Locale.ROOT);
  }

  static @Nullable Kind kind(String name) {
    return Arrays.stream(Kind.values()).filter(k -> name(k).equals(name)).findAny().orElse(null);
  }

  static @Nullable Outcome outcome(String name) {
    return Arrays.stream(Outcome.values()).filter(o -> name(o).equals(name)).findAny().orElse(null);
  }

  /** Whether operations of this kind have the field {@code expectedVersion}. */
  static boolean hasExpectedVersion(Kind kind) {
    return kind == Kind.REPLACE || kind == Kind.REMOVE;
  }
}
