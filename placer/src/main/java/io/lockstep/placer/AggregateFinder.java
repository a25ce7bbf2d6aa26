package io.lockstep.placer;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/**
 * Finds aggregated covers that would let heavy rules into a layer: rules that wait behind it since
 * more rules above them would need covers than there is room for. It estimates what they could
 * gain; whether they do, an exchange shows. Its effort is bounded. Pure.
 */
final class AggregateFinder {
  /** Waiting rules that are looked at, the heaviest ones. */
  private static final int MOST_WAITING = 64;

  /** Priorities that are tried for aggregated covers, beside the highest of a waiting rule. */
  private static final int MOST_PRIORITIES = 3;

  /** Rules that covers may stand for together. */
  private static final int MOST_ABOVE = 1024;

  /** So few rules above are cheap to cover one by one. */
  private static final int FEW_ABOVE = 4;

  /** Numbers of aggregated covers that are tried. */
  private static final int[] COUNTS = {16, 8, 4, 2, 1};

  /** The traffic that a layer must be able to gain, as a part of what waits behind it. */
  private static final double WORTH_IT = 0.1;

  private final Placement placement;
  private final int layer;
  private final LayerTable table;

  /** The rules that the layer can hold and no earlier one serves, the heaviest first. */
  private final List<PlacedRule> candidates = new ArrayList<>();

  private List<RuleKey> best = List.of();
  private double bestWeight;

  private AggregateFinder(Placement placement, int layer) {
    this.placement = placement;
    this.layer = layer;
    this.table = placement.layers.get(layer);
    for (PlacedRule rule : placement.rules()) {
      if (rule.live && rule.home >= layer && rule.weight > 0 && placement.holds(layer, rule)) {
        candidates.add(rule);
      }
    }
    candidates.sort(
        Comparator.<PlacedRule>comparingDouble(rule -> -rule.weight)
            .thenComparing(FillPlanner.BY_PRIORITY));
  }

  /** The keys of aggregated covers that seem worth a try; empty for none. */
  static List<RuleKey> find(Placement placement, int layer) {
    AggregateFinder finder = new AggregateFinder(placement, layer);
    finder.search();
    return finder.best;
  }

  /** The traffic that a layer serves, as far as aggregated covers leave it there. */
  static double served(Placement placement, int layer) {
    double served = 0;
    for (PlacedRule rule : placement.rules()) {
      if (rule.live && rule.home == layer) {
        served += rule.weight * placement.aggregates.partServed(rule, layer);
      }
    }
    return served;
  }

  private void search() {
    double waits = 0;
    for (PlacedRule rule : candidates) {
      waits += rule.home > layer ? rule.weight : 0;
    }
    bestWeight = served(placement, layer) + WORTH_IT * waits;
    if (best(table.steady(), rule -> 1) <= bestWeight) {
      return; // not even the heaviest rules without any cover would be worth it
    }
    List<PlacedRule> waiting = new ArrayList<>();
    TreeMap<Integer, Double> byPriority = new TreeMap<>();
    for (PlacedRule rule : candidates) {
      if (rule.home > layer && waiting.size() < MOST_WAITING) {
        waiting.add(rule);
        byPriority.merge(rule.priority(), rule.weight, Double::sum);
      }
    }
    Set<Integer> priorities = new LinkedHashSet<>();
    byPriority.entrySet().stream()
        .sorted((a, b) -> Double.compare(b.getValue(), a.getValue()))
        .limit(MOST_PRIORITIES)
        .forEach(entry -> priorities.add(entry.getKey()));
    if (!byPriority.isEmpty()) {
      priorities.add(byPriority.lastKey());
    }
    priorities.forEach(priority -> tryAbove(priority, waiting));
  }

  /** Tries covers just above a priority, for the waiting rules up to it. */
  private void tryAbove(int priority, List<PlacedRule> waiting) {
    double light = weightOfLastPlace();
    Set<TernaryMatch> above = new LinkedHashSet<>();
    for (PlacedRule rule : waiting) {
      if (rule.priority() > priority || above.size() > MOST_ABOVE) {
        continue;
      }
      placement.forEachOverlapping(
          rule.match(),
          other -> {
            if (other.live
                && other.priority() > priority
                && other.home >= layer
                && (other.weight <= light || !placement.holds(layer, other))) {
              above.add(other.match());
            }
            return above.size() <= MOST_ABOVE;
          });
    }
    if (above.size() < FEW_ABOVE || above.size() > MOST_ABOVE) {
      return;
    }
    List<TernaryMatch> matches = List.copyOf(above);
    for (HeaderField first : new HeaderField[] {HeaderField.IPV4_DST, HeaderField.IPV4_SRC}) {
      for (Set<TernaryMatch> hulls : AggregateMatches.grouped(matches, first, COUNTS)) {
        consider(priority, hulls);
      }
    }
  }

  /** The traffic of the last rule with a place, if each took one. */
  private double weightOfLastPlace() {
    int places = (int) Math.min(Integer.MAX_VALUE, table.steady());
    return places < candidates.size() ? candidates.get(places).weight : 0;
  }

  /** Keeps these covers if they promise the most traffic so far. */
  private void consider(int priority, Set<TernaryMatch> hulls) {
    long room = table.steady();
    List<RuleKey> keys = new ArrayList<>();
    for (TernaryMatch hull : hulls) {
      RuleKey key = new RuleKey(priority + 1, hull);
      Entry there = table.entry(key);
      boolean ours = there != null && there.owner.equals(placement.aggregates.owner);
      if (!placement.profile.holds(layer, hull, 0)
          || table.refused(key, true)
          || placement.rule(key) != null
          || (there != null && !ours)) {
        return;
      }
      keys.add(key);
      room -= table.unitsOf(hull);
    }
    double weight = best(room, rule -> partServed(rule, priority, hulls));
    if (weight > bestWeight) {
      bestWeight = weight;
      best = keys;
    }
  }

  /**
   * The most traffic that rules in so much room can have.
   *
   * @param part of a rule's traffic that the layer serves
   */
  private double best(long units, ToDoubleFunction<PlacedRule> part) {
    double weight = 0;
    long room = units;
    for (int i = 0; i < candidates.size() && room > 0; i++) {
      PlacedRule rule = candidates.get(i);
      double served = part.applyAsDouble(rule);
      if (served > 0) {
        weight += served * rule.weight;
        room -= table.unitsOf(rule.match());
      }
    }
    return weight;
  }

  private static double partServed(PlacedRule rule, int priority, Set<TernaryMatch> hulls) {
    double part = 1;
    for (TernaryMatch hull : hulls) {
      if (rule.priority() <= priority + 1 && hull.overlaps(rule.match())) {
        part -= Aggregates.partTaken(hull, rule.match());
      }
    }
    return Math.max(0, part);
  }
}
