package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;

/**
 * Rules that the node still has to look at, each once. Removals come first, since they make room,
 * then rules for which others wait. The others follow from the highest priority down, so that a new
 * rule needs covers only of rules that are in the switch already. Control loop only.
 */
final class ChangeQueue {
  /**
   * A rule to look at.
   *
   * @param replaces whether the switch must lose the rule before it gets it again
   */
  record Entry(RuleKey key, boolean replaces) {}

  private record Queued(RuleKey key, boolean first, long number) {}

  private final Map<RuleKey, Entry> removals = new LinkedHashMap<>();
  private final PriorityQueue<Queued> others =
      new PriorityQueue<>(
          Comparator.comparing((Queued one) -> !one.first())
              .thenComparingInt(one -> -one.key().priority())
              .thenComparingLong(Queued::number));
  private final Set<RuleKey> queued = new HashSet<>();
  private final Set<RuleKey> later = new LinkedHashSet<>();
  private long number;

  /** Queues a rule. */
  void put(RuleKey key) {
    put(key, false);
  }

  /** Queues a rule for which others wait, unless it is queued. */
  void putFirst(RuleKey key) {
    put(key, true);
  }

  private void put(RuleKey key, boolean first) {
    if (queued.add(key)) {
      others.add(new Queued(key, first, number++));
    }
  }

  /** Queues a rule for which others wait, also where it is queued behind others. */
  void bringForward(RuleKey key) {
    if (queued.remove(key)) {
      others.removeIf(one -> one.key().equals(key));
    }
    putFirst(key);
  }

  /** Queues the removal of a rule. */
  void remove(RuleKey key) {
    removals.putIfAbsent(key, new Entry(key, false));
  }

  /** Queues the removal of a rule that is to be added again. */
  void replace(RuleKey key) {
    removals.put(key, new Entry(key, true));
  }

  /** Queues an entry again. */
  void again(Entry entry) {
    if (entry.replaces()) {
      replace(entry.key());
    } else {
      put(entry.key());
    }
  }

  /** Keeps a removal that has no plan now until {@link #bringBack}. */
  void removeLater(RuleKey key) {
    later.add(key);
  }

  /** Queues the removals that had no plan. */
  void bringBack() {
    later.forEach(this::remove);
    later.clear();
  }

  boolean isEmpty() {
    return removals.isEmpty() && others.isEmpty();
  }

  int size() {
    return removals.size() + others.size() + later.size();
  }

  /** Takes the first entry; the queue must not be empty. */
  Entry next() {
    if (!removals.isEmpty()) {
      Entry entry = removals.values().iterator().next();
      removals.remove(entry.key());
      return entry;
    }
    Queued next = others.remove();
    queued.remove(next.key());
    return new Entry(next.key(), false);
  }
}
