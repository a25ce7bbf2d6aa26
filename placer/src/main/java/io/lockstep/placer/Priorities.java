package io.lockstep.placer;

import java.util.TreeMap;

/**
 * A multiset of the priorities of rules or entries. A rule that overlaps all others is often the
 * first or the last of them (a final "deny"). The counts then show that no rule is above or below
 * it, and no rule need be examined. Not thread-safe.
 */
final class Priorities {
  private final TreeMap<Integer, Integer> counts = new TreeMap<>();

  void add(int priority) {
    counts.merge(priority, 1, Integer::sum);
  }

  /** Removes a priority that is in the set, once. */
  void remove(int priority) {
    counts.computeIfPresent(priority, (same, count) -> count == 1 ? null : count - 1);
  }

  /** The number of rules or entries with this priority. */
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
