package io.lockstep.placer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes the {@link Explanation} of why a rule is in its layer, and what would move it. */
final class ExplanationWriter {
  private static final int DEPENDENCIES_TOLD = 8;
  private final Placement placement;
  private final Predicate<RuleKey> pinned;

  ExplanationWriter(Placement placement, Predicate<RuleKey> pinned) {
    this.placement = placement;
    this.pinned = pinned;
  }

  Explanation explain(PlacedRule rule) {
    List<PlacedRule> above = placement.above(rule.key);
    above.sort(Comparator.comparingDouble((PlacedRule one) -> -one.weight));
    List<String> why = new ArrayList<>();
    String move = "";
    if (!rule.live) {
      why.add("rules above it take all its packets");
      move = "comes back when one of the rules above it goes";
    }
    for (int layer = 0; rule.live && layer < rule.home; layer++) {
      Attempt attempt = new Attempt(rule, layer);
      why.add(name(layer) + ": " + attempt.why());
      move = move.isEmpty() || attempt.possible ? attempt.move() : move;
    }
    if (rule.live) {
      why.add(name(rule.home) + ": " + atHome(rule, above.size()));
    }
    if (move.isEmpty()) {
      move = "moves back when rules that wait serve more traffic for the room it takes";
    }
    int rank = 1;
    for (PlacedRule other : placement.rules()) {
      rank += other.weight > rule.weight ? 1 : 0;
    }
    return new Explanation(
        rule.key,
        rule.live ? name(rule.home) : "nowhere",
        rule.sinceMillis,
        rule.weight,
        rank,
        placement.rules().size(),
        above.stream().limit(DEPENDENCIES_TOLD).map(one -> one.key).toList(),
        why,
        move);
  }

  private String name(int layer) {
    return layer == placement.controller()
        ? "controller"
        : placement.layers.get(layer).profile.id();
  }

  private String atHome(PlacedRule rule, int above) {
    if (rule.home == placement.controller()) {
      return "holds every rule";
    }
    LayerTable table = placement.layers.get(rule.home);
    return String.format(
        Locale.ROOT,
        "takes %d of %s units, %d used; %d rules above it overlap%s",
        table.unitsOf(rule.match()),
        bound(table),
        table.used,
        above,
        copy(rule));
  }

  private String copy(PlacedRule rule) {
    List<Entry> taking = placement.aggregates.taking(rule.key, rule.home);
    return taking.isEmpty()
        ? ""
        : "; a copy in "
            + name(rule.home + 1)
            + " serves its packets that match "
            + taking.stream().map(one -> "(" + one.match() + ")").collect(Collectors.joining(", "))
            + ", where covers stand for many rules";
  }

  private static String bound(LayerTable table) {
    return table.profile.capacity().bounded() ? Long.toString(table.capacity) : "unbounded";
  }

  /** What it would take to have a rule in a layer before its own. */
  private final class Attempt {
    final boolean possible;
    private final PlacedRule rule;
    private final LayerTable table;
    private final int layer;
    private long units;
    private long covers;
    private final Set<RuleKey> counted = new HashSet<>();
    private @Nullable RuleKey inTheWay;

    Attempt(PlacedRule rule, int layer) {
      this.rule = rule;
      this.layer = layer;
      table = placement.layers.get(layer);
      boolean holds = placement.holds(layer, rule);
      units = holds ? table.unitsOf(rule.match()) : 0;
      List<PlacedRule> missing =
          Dependencies.of(placement, rule.key, layer)
              .missing(placement, rule.key, layer, Long.MAX_VALUE);
      for (PlacedRule one : missing) {
        RuleKey cover = placement.coverKey(one.key, rule.key, layer);
        if (cover == null) {
          inTheWay = one.key;
        } else if (table.entry(cover) == null && counted.add(cover)) {
          covers++;
          units += table.unitsOf(cover.match());
        }
      }
      possible = holds && inTheWay == null;
    }

    String why() {
      if (!placement.holds(layer, rule)) {
        return table.refused(rule.key, false)
            ? "the switch refused it"
            : placement.profile.whyNot(layer, rule.match(), rule.rewrites);
      }
      if (!possible) {
        return inTheWay + " is above it, behind, and cannot be covered";
      }
      long free = table.steady() - table.used;
      return String.format(
          Locale.ROOT,
          "would take %d units with %d covers; %d of %s are free, %d are kept for moves",
          units,
          covers,
          Math.max(0, free),
          bound(table),
          table.profile.reserveUnits());
    }

    String move() {
      if (!possible) {
        return inTheWay == null
            ? "never comes forward: " + why()
            : "comes forward when " + inTheWay + " does";
      }
      if (table.steady() - table.used >= units) {
        return "comes forward with the next improvement";
      }
      double least = Double.POSITIVE_INFINITY;
      for (Entry entry : table.entries.values()) {
        if (entry.terminal() && !pinned.test(entry.owner.key)) {
          least = Math.min(least, entry.owner.weight / entry.units);
        }
      }
      if (least == Double.POSITIVE_INFINITY) {
        return "comes forward when " + units + " units come free";
      }
      return String.format(
          Locale.ROOT,
          "comes forward when %d units come free, or its traffic passes about %.6g (the least in %s"
              + " serves %.6g for a unit)",
          units,
          least * units,
          table.profile.id(),
          least);
    }
  }
}
