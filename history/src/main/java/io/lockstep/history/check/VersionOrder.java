package io.lockstep.history.check;

import io.lockstep.history.check.Operation.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Checks versions across keys: they count operations of the whole store. No two changes share one,
 * a version belongs to one key, and a change that began after an answer had named a version has a
 * greater one.
 */
final class VersionOrder {
  private final List<Violation> violations = new ArrayList<>();
  private final int most;

  private VersionOrder(int most) {
    this.most = most;
  }

  /**
   * What is wrong.
   *
   * @param most so many violations are found at most
   */
  static List<Violation> violations(List<Operation> operations, int most) {
    VersionOrder order = new VersionOrder(most);
    order.checkOwners(operations);
    order.checkTime(operations);
    return order.violations;
  }

  private void checkOwners(List<Operation> operations) {
    Map<Long, Operation> named = new HashMap<>();
    Map<Long, Operation> made = new HashMap<>();
    for (Operation operation : operations) {
      Result result = operation.result();
      if (result == null || result.version() == 0) {
        continue;
      }
      Operation first = named.putIfAbsent(result.version(), operation);
      if (first != null && !sameKey(first, operation)) {
        add(operation, "version " + result.version() + " belongs to two keys", first);
      }
      if (operation.applied()) {
        Operation other = made.putIfAbsent(result.version(), operation);
        if (other != null) {
          add(operation, "version " + result.version() + " was given twice", other);
        }
      }
    }
  }

  private void checkTime(List<Operation> operations) {
    List<Operation> naming =
        operations.stream()
            .filter(operation -> operation.result() != null)
            .filter(operation -> Objects.requireNonNull(operation.result()).version() > 0)
            .toList();
    List<Operation> ended =
        naming.stream().sorted(Comparator.comparingLong(Operation::endNanos)).toList();
    List<Operation> begun =
        naming.stream()
            .filter(Operation::applied)
            .sorted(Comparator.comparingLong(Operation::startNanos))
            .toList();
    int next = 0;
    @Nullable Operation newest = null;
    for (Operation write : begun) {
      while (next < ended.size() && ended.get(next).endNanos() < write.startNanos()) {
        Operation earlier = ended.get(next++);
        if (newest == null || version(earlier) > version(newest)) {
          newest = earlier;
        }
      }
      if (newest != null && version(newest) >= version(write)) {
        add(
            write,
            "version " + version(write) + " is not above " + version(newest) + ", named before",
            newest);
      }
    }
  }

  private static long version(Operation operation) {
    return Objects.requireNonNull(operation.result()).version();
  }

  private static boolean sameKey(Operation one, Operation other) {
    return one.key().equals(other.key()) && one.table().equals(other.table());
  }

  private void add(Operation at, String summary, Operation other) {
    if (violations.size() < most) {
      violations.add(
          new Violation(
              at.table(),
              at.key(),
              summary,
              "  "
                  + other.table()
                  + "/"
                  + other.key()
                  + other
                  + "\n  "
                  + at.table()
                  + "/"
                  + at.key()
                  + at
                  + "\n"));
    }
  }
}
