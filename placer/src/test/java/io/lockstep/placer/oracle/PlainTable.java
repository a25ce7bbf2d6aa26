package io.lockstep.placer.oracle;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Entries in no order; the matching one of the highest priority counts. */
public final class PlainTable {
  private final List<PlainEntry> entries = new ArrayList<>();

  /** Adds or overwrites, as OpenFlow does. */
  public void put(PlainEntry entry) {
    remove(entry);
    entries.add(entry);
  }

  /** Whether there was such an entry. */
  public boolean remove(PlainEntry entry) {
    return entries.removeIf(entry::sameKey);
  }

  public boolean contains(PlainEntry entry) {
    return entries.stream().anyMatch(entry::sameKey);
  }

  public List<PlainEntry> entries() {
    return entries;
  }

  /** All entries that may win: those of the highest priority among the ones that match. */
  public List<PlainEntry> winners(PlainPacket packet) {
    List<PlainEntry> winners = new ArrayList<>();
    int best = Integer.MIN_VALUE;
    for (PlainEntry entry : entries) {
      if (entry.priority() >= best && entry.matches(packet)) {
        if (entry.priority() > best) {
          winners.clear();
          best = entry.priority();
        }
        winners.add(entry);
      }
    }
    return winners;
  }

  /** What may happen to a packet; "miss" where nothing matches. */
  public Set<Object> actions(PlainPacket packet) {
    Set<Object> actions = new LinkedHashSet<>();
    for (PlainEntry winner : winners(packet)) {
      actions.add(String.valueOf(winner.action()));
    }
    return actions.isEmpty() ? Set.of("miss") : actions;
  }
}
