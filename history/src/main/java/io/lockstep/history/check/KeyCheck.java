package io.lockstep.history.check;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Checks one key; where it fails, finds the shortest beginning of the history that fails. */
final class KeyCheck {
  /** Of the order that goes furthest, so many operations are shown. */
  private static final int SHOWN = 12;

  private KeyCheck() {}

  /**
   * What is wrong, or null.
   *
   * @param operations all of one key
   * @param maxNodes configurations to try; a search that needs more is a violation too, since
   *     nothing is known then
   */
  static @Nullable Violation of(List<Operation> operations, long maxNodes) {
    KeySearch search = new KeySearch(operations, maxNodes);
    return switch (search.run()) {
      case LINEARIZABLE -> null;
      case UNDECIDED ->
          violation(
              operations,
              "undecided: given up after " + maxNodes + " configurations",
              search.account(SHOWN));
      case IMPOSSIBLE -> shortest(operations, maxNodes);
    };
  }

  private static Violation violation(List<Operation> operations, String summary, String window) {
    Operation any = operations.get(0);
    return new Violation(any.table(), any.key(), summary, window);
  }

  /** A history that fails fails at every later moment too, so halving finds the first. */
  private static Violation shortest(List<Operation> operations, long maxNodes) {
    long[] ends =
        operations.stream()
            .filter(Operation::answered)
            .mapToLong(Operation::endNanos)
            .sorted()
            .distinct()
            .toArray();
    int fails = ends.length - 1;
    int fine = -1;
    while (fails - fine > 1) {
      int middle = (fails + fine) >>> 1;
      KeySearch search = new KeySearch(until(operations, ends[middle]), maxNodes);
      if (search.run() == KeySearch.Verdict.IMPOSSIBLE) {
        fails = middle;
      } else {
        fine = middle;
      }
    }
    long end = ends[fails];
    KeySearch search = new KeySearch(until(operations, end), maxNodes);
    search.run();
    String last =
        operations.stream()
            .filter(operation -> operation.answered() && operation.endNanos() == end)
            .map(operation -> operation.toString().strip())
            .findFirst()
            .orElse("");
    return violation(
        operations,
        "no order explains the answers up to: " + last,
        "the first answer that cannot be:\n  " + last + "\n" + search.account(SHOWN));
  }

  /** What was known at a moment. */
  private static List<Operation> until(List<Operation> operations, long nanos) {
    List<Operation> known = new ArrayList<>();
    for (Operation operation : operations) {
      if (operation.startNanos() <= nanos) {
        boolean early = operation.answered() && operation.endNanos() > nanos;
        known.add(early ? operation.unanswered() : operation);
      }
    }
    return known;
  }
}
