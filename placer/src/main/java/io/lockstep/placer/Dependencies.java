package io.lockstep.placer;

import io.lockstep.placer.space.Residual;
import io.lockstep.placer.space.Residual.Proof;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Finds which rules above a terminal entry must have an entry in its layer, for some of its
 * packets. A rule needs none if the packets that it wins there meet other entries above the
 * terminal one. See ADR 0046. Pure; the result is valid until the placement changes.
 */
final class Dependencies {
  /** How often a match may be split to prove that others take all its packets. */
  private static final int SPLITS = 128;

  /** Up to this number of rules, each is examined for whether all others make it superfluous. */
  private static final int FEW = 24;

  /** The most comparisons of two matches for one choice, which bounds its time. */
  private static final int COMPARISONS = 1 << 12;

  /** With so few comparisons, rules that meet entries are dropped before others are ordered. */
  private static final int COMPARED_AT_ONCE = 1 << 14;

  /** The most comparisons with entries for one choice otherwise. */
  private static final int ENTRY_COMPARISONS = 1 << 16;

  /** The rank of a rule that a layer cannot cover; see {@link #choose}. */
  static final int NO_COVER = 2;

  /** A rule that waits behind the layer, and its packets that concern the terminal entry. */
  private static final class Waiting {
    final PlacedRule rule;
    final int rank;
    final long order;

    /** Rules that need no entry because this one has one. */
    List<Waiting> instead = List.of();

    void standsFor(Waiting other) {
      if (instead.isEmpty()) {
        instead = new ArrayList<>(2); // most stand for none
      }
      instead.add(other);
    }

    Waiting(PlacedRule rule, TernaryMatch within, int rank) {
      this.rule = rule;
      this.rank = rank;
      long bits = within.bitsFixedBy(rule.match());
      order = ((long) rank << 40) | (bits << 20) | TernaryMatch.any().bitsFixedBy(rule.match());
    }
  }

  private static final Comparator<Waiting> WIDEST_FIRST =
      Comparator.<Waiting>comparingLong(one -> one.order)
          .thenComparing(one -> -one.rule.weight)
          .thenComparingLong(one -> one.rule.arrival);

  /** The live rules above that overlap. */
  private final List<PlacedRule> above = new ArrayList<>();

  /** Those of them that are served behind the layer. */
  private final List<PlacedRule> waiting = new ArrayList<>();

  /** The matches of the entries above. */
  private final List<TernaryMatch> entries = new ArrayList<>();

  private final TernaryMatch within;

  /** What proofs may cost; only checks may exceed the usual bound. */
  private final int splits;

  private Dependencies(TernaryMatch within, int splits) {
    this.within = within;
    this.splits = splits;
  }

  /** The packets of both, or more of them if that is not one match. */
  static TernaryMatch part(TernaryMatch one, TernaryMatch other) {
    TernaryMatch both = one.intersection(other);
    return both == null ? one : both;
  }

  /** What a key needs in a layer. */
  static Dependencies of(Placement placement, RuleKey key, int layer) {
    return of(placement, key, key.match(), layer, null, null, null);
  }

  /**
   * What a key needs in a layer for some of its packets.
   *
   * @param within the packets
   * @param gone a rule to treat as if it and its entries did not exist. The layer is its home or
   *     behind it, and the packets are some of its own. So a rule above it needs nothing more: in
   *     its home such a rule's packets meet an entry above it
   * @param without an entry to treat as if it did not exist
   * @param around what is above, where that is known
   */
  static Dependencies of(
      Placement placement,
      RuleKey key,
      TernaryMatch within,
      int layer,
      @Nullable PlacedRule gone,
      @Nullable Entry without,
      @Nullable Surroundings around) {
    Dependencies found = new Dependencies(within, SPLITS);
    found.collect(placement, key, layer, gone, without, around);
    return found;
  }

  /** The same with a bound on proofs that hardly any need. */
  static Dependencies toCheck(Placement placement, RuleKey key, int layer) {
    Dependencies found = new Dependencies(key.match(), 1 << 14);
    found.collect(placement, key, layer, null, null, null);
    return found;
  }

  private void collect(
      Placement placement,
      RuleKey key,
      int layer,
      @Nullable PlacedRule gone,
      @Nullable Entry without,
      @Nullable Surroundings around) {
    if (!placement.priorities.anyAbove(key.priority())) {
      return;
    }
    LayerTable table = placement.layers.get(layer);
    int highest = gone == null ? Integer.MAX_VALUE : gone.priority();
    Consumer<PlacedRule> visitor =
        rule -> {
          if (!rule.equals(gone)) {
            above.add(rule);
            if (rule.priority() <= highest
                && rule.servedBehind(layer)
                && lacks(table.entry(rule.key), without)) {
              waiting.add(rule);
            }
          }
        };
    if (around == null) {
      placement.forEachLiveAbove(key.priority(), within, visitor);
    } else {
      around.forEachRuleAbove(key.priority(), within, visitor);
    }
    if (waiting.isEmpty()) {
      return;
    }
    Consumer<Entry> entryVisitor =
        entry -> {
          if (!entry.equals(without) && !entry.owner.equals(gone)) {
            entries.add(entry.match());
          }
        };
    if (around == null) {
      table.forEachAbove(key.priority(), within, entryVisitor);
    } else {
      around.forEachEntryAbove(key.priority(), within, entryVisitor);
    }
    if ((long) waiting.size() * entries.size() <= COMPARED_AT_ONCE) {
      waiting.removeIf(rule -> anyCovers(rule.match()));
    }
  }

  private static boolean lacks(@Nullable Entry own, @Nullable Entry without) {
    return own == null || own.equals(without);
  }

  private boolean anyCovers(TernaryMatch match) {
    for (TernaryMatch entry : entries) {
      if (entry.coversCommon(match, within)) {
        return true;
      }
    }
    return false;
  }

  /** Whether nothing is missing, as far as proven. */
  boolean met() {
    for (PlacedRule rule : waiting) {
      if (!anyCovers(rule.match()) && !proven(rule, List.of(), -1)) {
        return false;
      }
    }
    return true;
  }

  /** All rules with packets that they win and that meet no entry. */
  List<PlacedRule> unmet() {
    return waiting.stream()
        .filter(rule -> !anyCovers(rule.match()) && !proven(rule, List.of(), -1))
        .toList();
  }

  /**
   * Rules that need an entry in the layer for their packets, and for those of the others.
   *
   * @param most the number of rules beyond which the list need not be complete
   */
  List<PlacedRule> missing(Placement placement, RuleKey key, int layer, long most) {
    return choose(
        most,
        rule -> {
          RuleKey cover = placement.coverKey(rule.key, key, layer);
          return cover == null ? NO_COVER : cover.equals(rule.key) ? 0 : 1;
        });
  }

  /**
   * What a key needs in a layer that is empty but for some covers.
   *
   * @param aggregated their matches, if they are above
   * @param waits whether a rule is served in this layer or behind it
   * @param rank 0 for a rule with an entry for all its packets, 1 for one whose entry concerns this
   *     key alone, {@link #NO_COVER} for one without
   * @param most the number of rules beyond which the list need not be complete
   */
  static List<PlacedRule> inEmptyLayer(
      Placement placement,
      PlacedRule rule,
      List<TernaryMatch> aggregated,
      Predicate<PlacedRule> waits,
      ToIntFunction<PlacedRule> rank,
      long most) {
    Dependencies found = new Dependencies(rule.match(), SPLITS);
    found.entries.addAll(aggregated);
    if (placement.priorities.anyAbove(rule.priority())) {
      placement.forEachLiveAbove(
          rule.priority(),
          rule.match(),
          other -> {
            found.above.add(other);
            if (waits.test(other)) {
              found.waiting.add(other);
            }
          });
    }
    return found.choose(most, rank);
  }

  /**
   * Takes the widest rules first. A rule whose packets all match one of those taken needs no entry:
   * either that one wins them, or they meet its entry, too.
   */
  private List<PlacedRule> choose(long most, ToIntFunction<PlacedRule> rank) {
    if (waiting.isEmpty()) {
      return List.of();
    }
    PriorityQueue<Waiting> ordered = new PriorityQueue<>(waiting.size(), WIDEST_FIRST);
    for (PlacedRule rule : waiting) {
      ordered.add(new Waiting(rule, within, rank.applyAsInt(rule)));
    }
    List<Waiting> taken = new ArrayList<>();
    int left = COMPARISONS;
    int leftOfEntries = ENTRY_COMPARISONS;
    for (Waiting one = ordered.poll(); one != null; one = ordered.poll()) {
      leftOfEntries -= entries.size();
      if (leftOfEntries > 0 && anyCovers(one.rule.match())) {
        continue;
      }
      Waiting wider = null;
      for (int i = 0; i < taken.size() && wider == null && left > 0; i++, left--) {
        boolean covers = taken.get(i).rule.match().coversCommon(one.rule.match(), within);
        wider = covers ? taken.get(i) : null;
      }
      if (wider != null) {
        wider.standsFor(one);
        continue;
      }
      taken.add(one);
      if (taken.size() > Math.max(most, FEW)) {
        break; // incomplete, and too many in any case
      }
    }
    if (taken.size() <= FEW) {
      dropSuperfluous(taken);
    }
    List<PlacedRule> rules = new ArrayList<>(taken.size());
    taken.forEach(one -> rules.add(one.rule));
    return rules;
  }

  /** Drops rules whose packets here are won by others, or meet the entries of the others. */
  private void dropSuperfluous(List<Waiting> taken) {
    List<Waiting> together = new ArrayList<>(); // rules that need the entries of several others
    for (int i = taken.size() - 1; i >= 0; i--) {
      Waiting one = taken.get(i);
      boolean superfluous =
          one.instead.size() <= FEW && together.size() <= FEW && proven(one.rule, taken, i);
      for (int j = 0; j < one.instead.size() && superfluous; j++) {
        Waiting other = one.instead.get(j);
        superfluous = proven(other.rule, taken, i);
      }
      for (int j = 0; j < together.size() && superfluous; j++) {
        Waiting other = together.get(j);
        superfluous = proven(other.rule, taken, i);
      }
      if (superfluous) {
        taken.remove(i);
        together.add(one);
        together.addAll(one.instead);
      } else if (swap(taken, i, together)) {
        together.add(one);
        together.addAll(one.instead);
      }
    }
  }

  /**
   * Takes, instead of a rule that wins no packets here, the widest of the rules for which it was
   * taken, if that is enough. Such a rule may serve traffic itself.
   */
  private boolean swap(List<Waiting> taken, int i, List<Waiting> together) {
    Waiting one = taken.get(i);
    if (one.instead.isEmpty()
        || one.instead.size() > FEW
        || together.size() > FEW
        || one.instead.get(0).rank > one.rank
        || !proven(one.rule, taken, i)) {
      return false;
    }
    taken.set(i, one.instead.get(0));
    boolean enough = true;
    for (int j = 1; j < one.instead.size() && enough; j++) {
      enough = proven(one.instead.get(j).rule, taken, -1);
    }
    for (int j = 0; j < together.size() && enough; j++) {
      enough = proven(together.get(j).rule, taken, -1);
    }
    if (!enough) {
      taken.set(i, one);
    }
    return enough;
  }

  /**
   * Whether a rule wins no packets here, except those that meet the entries or those of other
   * rules.
   *
   * @param except the index of a rule in the list that has no entry; -1 for none
   */
  private boolean proven(PlacedRule rule, List<Waiting> others, int except) {
    List<TernaryMatch> cuts = new ArrayList<>();
    for (int i = 0; i < others.size(); i++) {
      if (i != except) {
        cuts.add(others.get(i).rule.match());
      }
    }
    cuts.addAll(entries);
    for (PlacedRule higher : above) {
      if (higher.above(rule)) {
        cuts.add(higher.match());
      }
    }
    return Residual.covered(part(rule.match(), within), cuts, splits) == Proof.YES;
  }

  /**
   * Whether a terminal entry would serve packets of a new rule that is served behind its layer.
   *
   * @param added the key of the new rule
   */
  static boolean exposed(Placement placement, RuleKey added, PlacedRule below, int layer) {
    TernaryMatch part = part(added.match(), below.match());
    List<TernaryMatch> cuts = new ArrayList<>();
    placement
        .layers
        .get(layer)
        .index
        .forEachOverlapping(
            part,
            entry -> {
              if (entry.key.priority() > below.priority()) {
                cuts.add(entry.match());
              }
              return true;
            });
    if (placement.priorities.anyAbove(added.priority())) {
      placement.forEachOverlapping(
          part,
          rule -> {
            if (rule.live && rule.priority() > added.priority()) {
              cuts.add(rule.match());
            }
            return true;
          });
    }
    return Residual.covered(part, cuts, SPLITS) != Proof.YES;
  }
}
