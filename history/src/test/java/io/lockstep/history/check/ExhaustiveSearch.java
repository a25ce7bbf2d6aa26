package io.lockstep.history.check;

import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Tries every order and every version: too slow for anything but a few operations. */
final class ExhaustiveSearch {
  private final List<Operation> operations;
  private final long maxVersion;

  ExhaustiveSearch(List<Operation> operations, long maxVersion) {
    this.operations = operations;
    this.maxVersion = maxVersion;
  }

  boolean linearizable() {
    return search(0, null, 0);
  }

  private boolean search(int done, @Nullable String value, long version) {
    boolean over = true;
    for (int i = 0; i < operations.size(); i++) {
      over &= (done & 1 << i) != 0 || !operations.get(i).answered();
    }
    if (over) {
      return true;
    }
    for (int i = 0; i < operations.size(); i++) {
      Operation operation = operations.get(i);
      if ((done & 1 << i) == 0
          && operation.outcome() != Outcome.ERROR
          && mayComeNext(done, operation)
          && place(done | 1 << i, operation, value, version)) {
        return true;
      }
    }
    return false;
  }

  private boolean mayComeNext(int done, Operation operation) {
    for (int i = 0; i < operations.size(); i++) {
      Operation other = operations.get(i);
      if ((done & 1 << i) == 0 && other.answered() && other.endNanos() < operation.startNanos()) {
        return false;
      }
    }
    return true;
  }

  private boolean place(int done, Operation operation, @Nullable String value, long version) {
    Result result = operation.result();
    if (result == null) {
      if (operation.writes() && applies(operation, value, version)) {
        for (long next = version + 1; next <= maxVersion; next++) {
          if (search(done, after(operation, value), next)) {
            return true;
          }
        }
      }
      return false;
    }
    if (!operation.applied()) {
      boolean refuses = operation.outcome() == Outcome.FAILED;
      boolean same =
          Objects.equals(result.value(), value)
              && result.version() == (value == null ? 0 : version);
      return same
          && (!refuses || !applies(operation, value, version))
          && search(done, value, version);
    }
    String next = after(operation, applies(operation, value, version) ? value : null);
    return applies(operation, value, version)
        && result.version() > version
        && Objects.equals(next, result.value())
        && search(done, next, result.version());
  }

  private static boolean applies(Operation operation, @Nullable String value, long version) {
    Long expected = operation.expectedVersion();
    return switch (operation.kind()) {
      case GET, PUT -> true;
      case PUT_IF_ABSENT -> value == null;
      case REPLACE, REMOVE -> value != null && (expected == null || expected == version);
      case INCREMENT -> value == null || Operation.isNumber(value);
    };
  }

  private static @Nullable String after(Operation operation, @Nullable String value) {
    return switch (operation.kind()) {
      case GET -> value;
      case REMOVE -> null;
      case PUT, PUT_IF_ABSENT, REPLACE -> operation.value();
      case INCREMENT ->
          Long.toString(
              (value == null ? 0 : Long.parseLong(value))
                  + Long.parseLong(Objects.requireNonNull(operation.value())));
    };
  }
}
