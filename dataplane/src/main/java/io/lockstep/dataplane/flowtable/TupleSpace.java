package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.OxmField.Layer;
import io.lockstep.dataplane.packet.Packet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Entries grouped by the masks they use: one hash look-up per group instead of one comparison per
 * entry. Groups are visited from the highest priority they hold, and the visit ends where no later
 * group can win. Among equal priorities, which the specification leaves open, the entry installed
 * first wins. Owned by the switch's thread.
 */
final class TupleSpace {
  static final Comparator<FlowEntry> BEST_FIRST =
      Comparator.comparingInt(FlowEntry::priority).reversed().thenComparingLong(FlowEntry::serial);

  /** Sorted by {@link Group#maxPriority}, highest first. */
  private final List<Group> groups = new ArrayList<>();

  void add(FlowEntry entry) {
    Group group = groupOf(entry.match());
    if (group == null) {
      group = new Group(entry.match());
      groups.add(group);
    }
    group.add(entry);
    groups.sort(Group.HIGHEST_FIRST);
  }

  void remove(FlowEntry entry) {
    Group group = groupOf(entry.match());
    if (group == null || !group.remove(entry)) {
      throw new IllegalStateException("not in the table: " + entry);
    }
    if (group.buckets.isEmpty()) {
      groups.remove(group);
    }
    groups.sort(Group.HIGHEST_FIRST);
  }

  /** The matching entry of highest priority, null when none matches (section 5.3). */
  @Nullable FlowEntry find(Packet packet) {
    FlowEntry best = null;
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      if (best != null && group.maxPriority < best.priority()) {
        break;
      }
      FlowEntry found = group.find(packet);
      if (found != null && (best == null || BEST_FIRST.compare(found, best) < 0)) {
        best = found;
      }
    }
    return best;
  }

  private @Nullable Group groupOf(FlowMatch match) {
    for (Group group : groups) {
      if (match.sameMasks(group.masks)) {
        return group;
      }
    }
    return null;
  }

  /** All entries with the same masks. */
  private static final class Group {
    static final Comparator<Group> HIGHEST_FIRST =
        Comparator.<Group>comparingInt(group -> group.maxPriority).reversed();

    final long[] masks;
    final Map<Words, List<FlowEntry>> buckets = new HashMap<>();
    private final int[] slots;
    private final long usedSlots;
    private final Layer deepest;
    private final Words probe;
    private final TreeMap<Integer, Integer> entriesByPriority = new TreeMap<>();
    int maxPriority = -1;

    Group(FlowMatch match) {
      this.masks = match.masksCopy();
      this.usedSlots = match.usedSlots();
      this.deepest = match.deepest();
      List<Integer> used = new ArrayList<>();
      for (int slot = 0; slot < OxmField.SLOTS; slot++) {
        if (masks[slot] != 0) {
          used.add(slot);
        }
      }
      this.slots = used.stream().mapToInt(Integer::intValue).toArray();
      this.probe = new Words(new long[slots.length]);
    }

    void add(FlowEntry entry) {
      List<FlowEntry> bucket =
          buckets.computeIfAbsent(key(entry.match()), key -> new ArrayList<>(1));
      bucket.add(entry);
      bucket.sort(BEST_FIRST);
      entriesByPriority.merge(entry.priority(), 1, Integer::sum);
      maxPriority = Math.max(maxPriority, entry.priority());
    }

    boolean remove(FlowEntry entry) {
      Words key = key(entry.match());
      List<FlowEntry> bucket = buckets.get(key);
      if (bucket == null || !bucket.remove(entry)) {
        return false;
      }
      if (bucket.isEmpty()) {
        buckets.remove(key);
      }
      entriesByPriority.computeIfPresent(
          entry.priority(), (priority, count) -> count == 1 ? null : count - 1);
      maxPriority = entriesByPriority.isEmpty() ? -1 : entriesByPriority.lastKey();
      return true;
    }

    @Nullable FlowEntry find(Packet packet) {
      if (!packet.hasAll(usedSlots, deepest)) {
        return null;
      }
      for (int i = 0; i < slots.length; i++) {
        probe.words[i] = packet.slot(slots[i]) & masks[slots[i]];
      }
      List<FlowEntry> bucket = buckets.get(probe);
      return bucket == null ? null : bucket.get(0);
    }

    private Words key(FlowMatch match) {
      long[] words = new long[slots.length];
      for (int i = 0; i < slots.length; i++) {
        words[i] = match.value(slots[i]);
      }
      return new Words(words);
    }
  }

  /** Masked values as a hash key; the probe's words change between look-ups. */
  private record Words(long[] words) {
    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Words that && Arrays.equals(words, that.words);
    }

    @Override
    public int hashCode() {
      long hash = 0;
      for (long word : words) {
        hash = (hash ^ word) * 0x9e37_79b9_7f4a_7c15L;
        hash ^= hash >>> 32;
      }
      return Long.hashCode(hash);
    }
  }
}
