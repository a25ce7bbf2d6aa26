package io.lockstep.placer;

import io.lockstep.placer.space.Residual;
import io.lockstep.placer.space.Residual.Proof;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds shadowed rules: they never win a packet, since rules above them match all their packets.
 */
final class ShadowFinder {
  /**
   * The most rules that one new rule is found to shadow. Others keep their entries, which is safe.
   */
  private static final int ALONE = 256;

  /** The most rules that are examined because a new rule may shadow them together with others. */
  private static final int WITH_OTHERS = 8;

  /** The new rule must match at least a quarter of such a rule, as a power of two. */
  private static final int LARGE_PART_BITS = 2;

  private final Placement placement;
  private final int maxSplits;

  ShadowFinder(Placement placement, int maxSplits) {
    this.placement = placement;
    this.maxSplits = maxSplits;
  }

  /**
   * Whether a rule of this key is provably shadowed.
   *
   * @param without a rule to ignore
   */
  boolean shadowed(RuleKey key, @Nullable PlacedRule without) {
    if (!placement.priorities.anyAbove(key.priority())) {
      return false;
    }
    List<TernaryMatch> above = new ArrayList<>();
    placement.forEachOverlapping(
        key.match(),
        rule -> {
          if (rule.priority() > key.priority() && !rule.equals(without)) {
            above.add(rule.match());
          }
          return true;
        });
    return Residual.covered(key.match(), above, maxSplits) == Proof.YES;
  }

  /**
   * The live rules that a new rule shadows alone, and some of those that it shadows together with
   * others.
   */
  List<PlacedRule> shadowedBy(PlacedRule added) {
    if (!placement.priorities.anyBelow(added.priority())) {
      return List.of();
    }
    List<PlacedRule> shadowed = new ArrayList<>();
    List<PlacedRule> perhaps = new ArrayList<>();
    placement.forEachOverlapping(
        added.match(),
        rule -> {
          if (rule.live && added.above(rule)) {
            if (added.match().covers(rule.match())) {
              shadowed.add(rule);
            } else if (perhaps.size() < WITH_OTHERS
                && rule.match().bitsFixedBy(added.match()) <= LARGE_PART_BITS) {
              perhaps.add(rule);
            }
          }
          return shadowed.size() < ALONE;
        });
    perhaps.removeIf(rule -> !shadowed(rule.key, null));
    shadowed.addAll(perhaps);
    return shadowed;
  }

  /** The shadowed rules that can win a packet after the removal of a rule, the highest first. */
  List<PlacedRule> revivedWithout(PlacedRule gone) {
    return revivedWithout(gone, Integer.MAX_VALUE);
  }

  /** The highest of these, at most so many. */
  List<PlacedRule> revivedWithout(PlacedRule gone, int most) {
    if (!placement.priorities.anyBelow(gone.priority())) {
      return List.of();
    }
    List<PlacedRule> perhaps = new ArrayList<>();
    placement.forEachOverlapping(
        gone.match(),
        rule -> {
          if (!rule.live && gone.above(rule) && !knownShadower(rule, gone)) {
            perhaps.add(rule);
          }
          return true;
        });
    perhaps.sort((a, b) -> Integer.compare(b.priority(), a.priority()));
    List<PlacedRule> revived = new ArrayList<>();
    for (int i = 0; i < perhaps.size() && revived.size() < most; i++) {
      PlacedRule rule = perhaps.get(i);
      if (!findShadower(rule, gone) && !shadowed(rule.key, gone)) {
        revived.add(rule);
      }
    }
    return revived;
  }

  /** Whether the rule that was found to shadow another one still exists. */
  private boolean knownShadower(PlacedRule rule, PlacedRule gone) {
    PlacedRule by = rule.shadower;
    return by != null && !by.equals(gone) && by.equals(placement.rule(by.key));
  }

  /** Finds one rule that shadows another one alone, and remembers it. */
  private boolean findShadower(PlacedRule rule, PlacedRule gone) {
    return !placement.forEachOverlapping(
        rule.match(),
        other -> {
          boolean alone =
              other.above(rule) && !other.equals(gone) && other.match().covers(rule.match());
          rule.shadower = alone ? other : rule.shadower;
          return !alone;
        });
  }
}
