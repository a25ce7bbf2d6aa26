package io.lockstep.placer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Checks what every step must leave true: ADR 0008. */
final class Invariant {
  private Invariant() {}

  /** What is wrong, in sentences; empty where nothing is. */
  static List<String> violations(Placement placement) {
    List<String> wrong = new ArrayList<>();
    for (int layer = 0; layer < placement.controller(); layer++) {
      LayerTable table = placement.layers.get(layer);
      long used = 0;
      for (Entry entry : table.entries.values()) {
        used += entry.units;
        if (!placement.profile.holds(layer, entry.match())) {
          wrong.add(table.profile.id() + " cannot hold " + entry.key);
        }
        // Behind its home nobody meets a rule. One that is shadowed must not be met either.
        if (entry.terminal() && entry.owner.home == layer) {
          check(placement, entry, wrong);
        }
      }
      if (used != table.used || used > table.capacity) {
        wrong.add(
            table.profile.id()
                + ": "
                + used
                + " units used, "
                + table.used
                + " by the books, of "
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

  /** Whether a rule may be where it is. */
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
