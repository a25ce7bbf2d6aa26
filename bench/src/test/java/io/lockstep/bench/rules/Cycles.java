package io.lockstep.bench.rules;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Finds cycles among packages, or among classes, from what each of them uses. */
final class Cycles {
  private Cycles() {}

  /** The largest sets of two or more packages of which each leads to each. */
  static Set<Set<String>> of(Map<String, Set<String>> uses) {
    Map<String, Set<String>> reached =
        uses.keySet().stream()
            .collect(Collectors.toMap(name -> name, name -> reachedFrom(name, uses)));
    return reached.entrySet().stream()
        .map(
            from ->
                from.getValue().stream()
                    .filter(to -> reached.getOrDefault(to, Set.of()).contains(from.getKey()))
                    .collect(Collectors.toSet()))
        .filter(cycle -> cycle.size() > 1)
        .collect(Collectors.toSet());
  }

  private static Set<String> reachedFrom(String name, Map<String, Set<String>> uses) {
    Set<String> reached = new TreeSet<>();
    Deque<String> next = new ArrayDeque<>(uses.getOrDefault(name, Set.of()));
    while (!next.isEmpty()) {
      String one = next.pop();
      if (reached.add(one)) {
        next.addAll(uses.getOrDefault(one, Set.of()));
      }
    }
    return reached;
  }
}
