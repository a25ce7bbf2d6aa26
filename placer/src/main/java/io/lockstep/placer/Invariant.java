package io.lockstep.placer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Checks the invariants of ADR 0046 and ADR 0051, which hold after every step. */
final class Invariant {
  private Invariant() {}

  /** The violations, as sentences; empty if there is none. */
  static List<String> violations(Placement placement) {
    List<String> wrong = new ArrayList<>();
    for (int layer = 0; layer < placement.controller(); layer++) {
      LayerTable table = placement.layers.get(layer);
      long used = 0;
      for (Entry entry : table.entries.values()) {
        used += entry.units;
        int sets = placement.rewrites(entry.treatment);
        if (!placement.profile.holds(layer, entry.match(), sets)) {
          wrong.add(table.profile.id() + " cannot hold " + entry.key);
        }
        // Also behind the home of its rule: packets that a cover sends on may meet it there.
        if (entry.terminal()) {
          check(placement, entry, wrong);
        }
      }
      if (used != table.used || used > table.capacity) {
        wrong.add(
            table.profile.id()
                + ": "
                + used
                + " units used, recorded are "
                + table.used
                + ", of "
                + table.capacity);
      }
    }
    return wrong;
  }

  private static void check(Placement placement, Entry entry, List<String> wrong) {
    if (!Objects.equals(entry.treatment, entry.owner.treatment)) {
      wrong.add(entry.key + " has another treatment than its rule");
    }
    if (!copied(placement, entry)) {
      wrong.add(entry.key + " has no copy behind the aggregated covers of layer " + entry.layer);
    }
    for (PlacedRule above : Dependencies.toCheck(placement, entry.key, entry.layer).unmet()) {
      wrong.add(
          entry.key
              + " in layer "
              + entry.layer
              + " is in front of "
              + above.key
              + " in layer "
              + above.home);
    }
  }

  /** Whether a terminal entry is allowed in its layer. */
  static boolean holds(Placement placement, Entry entry) {
    return copied(placement, entry)
        && Dependencies.toCheck(placement, entry.key, entry.layer).met();
  }

  /** Whether the next layer serves the packets that aggregated covers take from an entry. */
  private static boolean copied(Placement placement, Entry entry) {
    return placement.terminal(entry.owner, entry.layer + 1)
        || !placement.aggregates.take(entry.key, entry.layer);
  }
}
