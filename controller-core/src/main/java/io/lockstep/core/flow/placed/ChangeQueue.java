package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Rules whose turn is to come, each once: those that go first, which makes room, then the others
 * from the highest priority down, so that each needs covers of what is already there only.
 */
final class ChangeQueue {
  /**
   * A rule to look at.
   *
   * @param replaces whether it is to go and to come anew
   */
  record Entry(RuleKey key, boolean replaces) {}

  private record Queued(RuleKey key, long number) {}

  private final Map<RuleKey, Entry> going = new LinkedHashMap<>();
  private final PriorityQueue<Queued> coming =
      new PriorityQueue<>(
          Comparator.comparingInt((Queued one) -> -one.key().priority())
              .thenComparingLong(Queued::number));
  private final Set<RuleKey> queued = new HashSet<>();
  private final List<RuleKey> later = new ArrayList<>();
  private long number;

  void put(RuleKey key) {
    if (queued.add(key)) {
      coming.add(new Queued(key, number++));
    }
  }

  void remove(RuleKey key) {
    going.putIfAbsent(key, new Entry(key, false));
  }

  void replace(RuleKey key) {
    going.put(key, new Entry(key, true));
  }

  void again(Entry wish) {
    if (wish.replaces()) {
      replace(wish.key());
    } else {
      put(wish.key());
    }
  }

  /** A rule that cannot go now. */
  void removeLater(RuleKey key) {
    later.add(key);
  }

  /** What could not go is tried again. */
  void bringBack() {
    later.forEach(this::remove);
    later.clear();
  }

  boolean isEmpty() {
    return going.isEmpty() && coming.isEmpty();
  }

  int size() {
    return going.size() + coming.size() + later.size();
  }

  @Nullable Entry next() {
    if (!going.isEmpty()) {
      Entry wish = going.values().iterator().next();
      going.remove(wish.key());
      return wish;
    }
    Queued next = coming.poll();
    if (next == null) {
      return null;
    }
    queued.remove(next.key());
    return new Entry(next.key(), false);
  }
}
