package io.lockstep.history.watch;

import io.lockstep.history.check.Operation;
import io.lockstep.history.check.Operation.Kind;
import io.lockstep.history.check.Operation.Outcome;
import io.lockstep.history.check.Operation.Result;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * Compares what watchers were told with what clients know: every acknowledged change was told once
 * (in a snapshot, or by itself as it was written), nothing was told that nobody wrote, and what a
 * watcher has at the end is what the store has.
 */
public final class WatchCheck {
  private final Map<Long, Long> acknowledged = new HashMap<>();
  private final Set<Long> possible = new HashSet<>();

  /** What the clients know. */
  public WatchCheck(List<Operation> operations) {
    for (Operation operation : operations) {
      Result result = operation.result();
      if (operation.applied() && result != null) {
        String value = operation.kind() == Kind.REMOVE ? null : result.value();
        acknowledged.put(
            result.version(), Watcher.fingerprint(operation.table(), operation.key(), value));
      } else if (operation.outcome() == Outcome.UNKNOWN && operation.writes()) {
        possible.add(possible(operation));
      }
    }
  }

  /** Of an increment without an answer nobody knows what it made. */
  private static long possible(Operation operation) {
    return operation.kind() == Kind.INCREMENT
        ? Watcher.keyprint(operation.table(), operation.key())
        : Watcher.fingerprint(operation.table(), operation.key(), operation.value());
  }

  /**
   * What is wrong with what one watcher was told.
   *
   * @param store version of every entry at the end, by table/key
   */
  public List<String> complaints(Watcher watcher, Map<String, Long> store) {
    Set<Long> told = new HashSet<>();
    for (int place = 0; place < watcher.size(); place++) {
      long version = watcher.version(place);
      told.add(version);
      Long right = acknowledged.get(version);
      if (right == null
          ? !possible.contains(watcher.fingerprint(place))
              && !possible.contains(watcher.keyprint(place))
          : right != watcher.fingerprint(place)) {
        watcher.complain("change " + version + " is not what anybody wrote");
      }
    }
    List<Long> missing =
        acknowledged.keySet().stream()
            .filter(version -> !told.contains(version) && !jumped(watcher, version))
            .sorted()
            .toList();
    if (!missing.isEmpty()) {
      watcher.complain(
          missing.size() + " acknowledged changes are missing, the first is " + missing.get(0));
    }
    if (!store.equals(watcher.image())) {
      watcher.complain("what it has is not what the store has: " + difference(watcher, store));
    }
    return List.copyOf(watcher.complaints());
  }

  private static boolean jumped(Watcher watcher, long version) {
    return watcher.jumps().stream()
        .anyMatch(jump -> version > jump.after() && version <= jump.upTo());
  }

  private static String difference(Watcher watcher, Map<String, Long> store) {
    Set<String> keys = new HashSet<>(store.keySet());
    keys.addAll(watcher.image().keySet());
    return keys.stream()
        .filter(key -> !Objects.equals(store.get(key), watcher.image().get(key)))
        .sorted()
        .limit(5)
        .map(key -> key + " " + watcher.image().get(key) + " for " + store.get(key))
        .toList()
        .toString();
  }
}
