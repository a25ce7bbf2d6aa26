package io.lockstep.placer;

import io.lockstep.placer.profile.Capacity;
import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.space.OverlapIndex;
import io.lockstep.placer.space.TernaryMatch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The known entries of one layer, and what the switch has shown about its capacity and refusals.
 * Belongs to a {@link Placement}.
 */
final class LayerTable {
  /** The number of refused entries that are remembered, the newest ones. */
  private static final int REMEMBERED = 4096;

  final LayerProfile profile;
  final Map<RuleKey, Entry> entries = new HashMap<>();
  final OverlapIndex<Entry> index = new OverlapIndex<>();
  final Priorities priorities = new Priorities();
  private final Set<RuleKey> refused = new LinkedHashSet<>();
  private final Set<RuleKey> refusedCovers = new LinkedHashSet<>();

  /**
   * Units that the layer should hold: those of the profile, or of a later change of the capacity.
   */
  private long configured;

  /**
   * Units that it is assumed to hold: as configured, or fewer if the switch reported a full table.
   */
  long capacity;

  long used;

  LayerTable(LayerProfile profile) {
    this.profile = profile;
    resize(profile.capacity().units());
  }

  final void resize(long units) {
    configured = units;
    capacity = units;
  }

  long configured() {
    return configured;
  }

  int unitsOf(TernaryMatch match) {
    return profile.capacity().plannedUnitsOf(match.fields());
  }

  /**
   * Whether it has a bound, by its profile or since the switch refused an entry for want of room.
   */
  boolean bounded() {
    return capacity < Capacity.UNBOUNDED;
  }

  /** Units that rules may use permanently; the rest is for moves. */
  long steady() {
    return Math.max(0, capacity - profile.reserveUnits());
  }

  @Nullable Entry entry(RuleKey key) {
    return entries.get(key);
  }

  /** Whether this entry is still there. */
  @SuppressWarnings("ReferenceEquality") // an entry that was written anew is another one
  boolean has(Entry entry) {
    return entries.get(entry.key) == entry;
  }

  void put(Entry entry) {
    entries.put(entry.key, entry);
    index.add(entry);
    priorities.add(entry.key.priority());
    used += entry.units;
  }

  void remove(Entry entry) {
    entries.remove(entry.key);
    index.remove(entry);
    priorities.remove(entry.key.priority());
    used -= entry.units;
  }

  /** Visits the entries above a priority that overlap a match. */
  void forEachAbove(int priority, TernaryMatch match, Consumer<Entry> visitor) {
    index.forEachOverlapping(
        match,
        entry -> {
          if (entry.key.priority() > priority) {
            visitor.accept(entry);
          }
          return true;
        });
  }

  boolean refused(RuleKey key, boolean cover) {
    return (cover ? refusedCovers : refused).contains(key);
  }

  void learnRefused(RuleKey key, boolean cover) {
    Set<RuleKey> known = cover ? refusedCovers : refused;
    if (known.add(key) && known.size() > REMEMBERED) {
      known.remove(known.iterator().next());
    }
  }

  void forget() {
    refused.clear();
    refusedCovers.clear();
    capacity = configured;
  }
}
