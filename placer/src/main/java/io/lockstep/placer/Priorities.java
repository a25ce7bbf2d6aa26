package io.lockstep.placer;

import java.util.TreeMap;

/**
 * The priorities of some rules or entries, each as often as it occurs. A rule that overlaps all
 * others is often the first or the last of them (a final "deny"), and then most questions about
 * those above or below it need no look at any of them. Not thread-safe.
 */
final class Priorities {
  private final TreeMap<Integer, Integer> counts = new TreeMap<>();

  void add(int priority) {
    counts.merge(priority, 1, Integer::sum);
  }

  /** Takes out one that is in. */
  void remove(int priority) {
    counts.computeIfPresent(priority, (same, count) -> count == 1 ? null : count - 1);
  }

  /** How many have this priority. */
  int count(int priority) {
    return counts.getOrDefault(priority, 0);
  }

  boolean anyAbove(int priority) {
    return !counts.isEmpty() && counts.lastKey() > priority;
  }

  boolean anyBelow(int priority) {
    return !counts.isEmpty() && counts.firstKey() < priority;
  }
}
