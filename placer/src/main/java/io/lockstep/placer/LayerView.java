package io.lockstep.placer;

import io.lockstep.placer.choice.LayerProblem;
import io.lockstep.placer.profile.Cover;
import io.lockstep.placer.space.TernaryMatch;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Presents the choice for one layer of a placement: the rules that no earlier layer serves. It
 * numbers the rules of the placement until it is closed. Owned by one thread.
 */
final class LayerView implements LayerProblem {
  private static final int[] NONE = {};

  /** The most rules below another one that are listed. */
  private static final int MOST_BELOW = 1024;

  private final Placement placement;
  private final int layer;
  private final PlacedRule[] rules;
  private final int[] units;
  private final double[] weights;
  private final boolean[] hopeless;
  private final int[] @Nullable [] above;
  private final int[] @Nullable [] below;
  private final long capacity;
  private final int mostAbove;
  private final List<Entry> aggregates;

  /**
   * @param rules live rules by descending priority, that are not served before the layer
   * @param capacity units that rules and covers may use. Aggregated covers stay as they are
   */
  LayerView(Placement placement, int layer, List<PlacedRule> rules, long capacity) {
    this.placement = placement;
    this.layer = layer;
    this.rules = rules.toArray(PlacedRule[]::new);
    this.aggregates = placement.aggregates.in(layer);
    this.capacity = capacity - aggregates.stream().mapToLong(entry -> entry.units).sum();
    units = new int[this.rules.length];
    weights = new double[this.rules.length];
    hopeless = new boolean[this.rules.length];
    above = new int[this.rules.length][];
    below = new int[this.rules.length][];
    // Covers of more rules than there are units never fit; closures do not either.
    mostAbove = (int) Math.min(1 << 14, Math.max(64, 2 * this.capacity));
    LayerTable table = placement.layers.get(layer);
    for (int i = 0; i < this.rules.length; i++) {
      PlacedRule rule = this.rules[i];
      rule.number = i;
      weights[i] = rule.weight * placement.aggregates.partServed(rule, layer);
      units[i] = placement.holds(layer, rule) ? table.unitsOf(rule.match()) : 0;
    }
  }

  /** Removes the numbers from the rules. */
  void close() {
    for (PlacedRule rule : rules) {
      rule.number = -1;
    }
  }

  PlacedRule rule(int number) {
    return rules[number];
  }

  @Override
  public int size() {
    return rules.length;
  }

  @Override
  public double weight(int rule) {
    return weights[rule];
  }

  @Override
  public int units(int rule) {
    return units[rule];
  }

  @Override
  public boolean candidate(int rule) {
    return units[rule] > 0 && !hopeless[rule];
  }

  @Override
  public int[] above(int rule) {
    int[] known = above[rule];
    if (known == null) {
      List<PlacedRule> found =
          Dependencies.inEmptyLayer(
              placement,
              rules[rule],
              aggregatesAbove(rules[rule]),
              one -> one.number >= 0,
              one -> rank(one, rule),
              mostAbove);
      hopeless[rule] = found.size() > mostAbove;
      known = hopeless[rule] ? NONE : found.stream().mapToInt(one -> one.number).sorted().toArray();
      above[rule] = known;
    }
    return known;
  }

  private List<TernaryMatch> aggregatesAbove(PlacedRule rule) {
    return aggregates.stream()
        .filter(entry -> entry.key.priority() > rule.priority())
        .map(Entry::match)
        .filter(match -> match.overlaps(rule.match()))
        .toList();
  }

  private int rank(PlacedRule above, int rule) {
    if (units[above.number] > 0) {
      return 0;
    }
    return pieceUnits(above.number, rule) > 0 ? 1 : Dependencies.NO_COVER;
  }

  @Override
  public int[] below(int rule) {
    int[] known = below[rule];
    if (known == null) {
      PlacedRule one = rules[rule];
      Numbers found = new Numbers(covers() ? MOST_BELOW : Integer.MAX_VALUE);
      boolean unused =
          placement.forEachOverlapping(
              one.match(),
              other -> other.number < 0 || !one.above(other) || found.add(other.number));
      known = found.sorted();
      below[rule] = known;
    }
    return known;
  }

  @Override
  public int pieceUnits(int above, int rule) {
    RuleKey key = placement.coverKey(rules[above].key, rules[rule].key, layer);
    return key == null ? 0 : placement.layers.get(layer).unitsOf(key.match());
  }

  @Override
  public boolean covers() {
    return placement.layers.get(layer).profile.cover() != Cover.NONE;
  }

  @Override
  public long capacity() {
    return capacity;
  }

  @Override
  public long arrival(int rule) {
    return rules[rule].arrival;
  }

  /** A growing list of numbers with a bound. */
  private static final class Numbers {
    private final int most;
    private int[] numbers = new int[16];
    private int size;

    Numbers(int most) {
      this.most = most;
    }

    /** Whether there was room. */
    boolean add(int number) {
      if (size == most) {
        return false;
      }
      if (size == numbers.length) {
        numbers = Arrays.copyOf(numbers, 2 * size);
      }
      numbers[size++] = number;
      return true;
    }

    int[] sorted() {
      int[] all = Arrays.copyOf(numbers, size);
      Arrays.sort(all);
      return all;
    }
  }
}
