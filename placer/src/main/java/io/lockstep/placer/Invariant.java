package io.lockstep.placer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Checks the invariant of ADR 0008, which holds after every step. */
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
        // No packet reaches a rule behind its home. No packet may reach a shadowed rule either.
        if (entry.terminal() && entry.owner.home == layer) {
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
    for (PlacedRule above : placement.above(entry.key)) {
      if (!placement.satisfied(above, entry.key, entry.layer)) {
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
  }

  /** Whether a rule is allowed in its layer. */
  static boolean holds(Placement placement, PlacedRule rule) {
    if (rule.home == placement.controller()) {
      return true;
    }
    for (PlacedRule above : placement.above(rule.key)) {
      if (!placement.satisfied(above, rule.key, rule.home)) {
        return false;
      }
    }
    return true;
  }
}
