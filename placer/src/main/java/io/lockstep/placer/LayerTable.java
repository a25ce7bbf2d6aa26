package io.lockstep.placer;

import io.lockstep.placer.profile.LayerProfile;
import io.lockstep.placer.space.OverlapIndex;
import io.lockstep.placer.space.TernaryMatch;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What is in one layer, and what the switch taught us about it. Belongs to a {@link Placement}. */
final class LayerTable {
  /** What the switch refused is remembered for so many entries, then forgotten, oldest first. */
  private static final int REMEMBERED = 4096;

  final LayerProfile profile;
  final Map<RuleKey, Entry> entries = new HashMap<>();
  final OverlapIndex<Entry> index = new OverlapIndex<>();
  final Priorities priorities = new Priorities();
  private final Set<RuleKey> refused = new LinkedHashSet<>();
  private final Set<RuleKey> refusedCovers = new LinkedHashSet<>();

  /** Units that the layer should hold: the profile's, or what was said later. */
  private long configured;

  /** Units that it is believed to hold: as configured, or what the switch was found to hold. */
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

  /** Units that may be used for good; the rest is for moves. */
  long steady() {
    return Math.max(0, capacity - profile.reserveUnits());
  }

  @Nullable Entry entry(RuleKey key) {
    return entries.get(key);
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
