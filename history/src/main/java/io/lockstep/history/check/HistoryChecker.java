package io.lockstep.history.check;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Checks a whole history: each key for itself, since the store is linearizable if every key is, and
 * the versions across keys. Every key begins absent.
 */
public final class HistoryChecker {
  /** Configurations tried for one key before it counts as undecided. */
  public static final long MAX_NODES = 5_000_000;

  private static final int MOST_VERSION_VIOLATIONS = 20;

  private record KeyName(String table, String key) {}

  private HistoryChecker() {}

  /**
   * Checks.
   *
   * @param keys how many keys there are
   * @param violations empty where the history is linearizable
   */
  public record Report(int keys, List<Violation> violations) {
    public Report {
      violations = List.copyOf(violations);
    }
  }

  /**
   * Checks a history.
   *
   * @param workers for the keys, which are independent
   */
  public static Report check(List<Operation> operations, ExecutorService workers)
      throws InterruptedException {
    Map<KeyName, List<Operation>> byKey = new LinkedHashMap<>();
    for (Operation operation : operations) {
      KeyName name = new KeyName(operation.table(), operation.key());
      byKey.computeIfAbsent(name, fresh -> new ArrayList<>()).add(operation);
    }
    List<Callable<@Nullable Violation>> checks = new ArrayList<>();
    for (List<Operation> ofKey : byKey.values()) {
      checks.add(() -> KeyCheck.of(ofKey, MAX_NODES));
    }
    List<Violation> violations = new ArrayList<>();
    for (Future<@Nullable Violation> found : workers.invokeAll(checks)) {
      @Nullable Violation violation = resultOf(found);
      if (violation != null) {
        violations.add(violation);
      }
    }
    violations.addAll(VersionOrder.violations(operations, MOST_VERSION_VIOLATIONS));
    return new Report(byKey.size(), violations);
  }

  private static @Nullable Violation resultOf(Future<@Nullable Violation> found)
      throws InterruptedException {
    try {
      return found.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("the checker failed", Objects.requireNonNull(e.getCause()));
    }
  }
}
