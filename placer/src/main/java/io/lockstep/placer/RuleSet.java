package io.lockstep.placer;

import io.lockstep.placer.space.HasMatch;
import io.lockstep.placer.space.OverlapIndex;
import io.lockstep.placer.space.Residual;
import io.lockstep.placer.space.Residual.Proof;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks a whole set of rules for contradictions, and for rules that can never win a packet. */
final class RuleSet {
  private record Item(Rule rule, TernaryMatch match) implements HasMatch {
    Item(Rule rule) {
      this(rule, rule.key().match());
    }

    int priority() {
      return rule.key().priority();
    }
  }

  private RuleSet() {}

  /**
   * The rules that are provably shadowed, each with the rule that shadows it alone, or with itself
   * if that takes several rules.
   *
   * @throws PlacementRefusedException if two rules of one priority treat the same packets
   *     differently, or have the same key
   */
  static Map<RuleKey, RuleKey> shadowed(
      Placement placement, List<WeightedRule> wanted, int maxSplits)
      throws PlacementRefusedException {
    List<Item> items = new ArrayList<>();
    Set<RuleKey> keys = new HashSet<>();
    for (WeightedRule one : wanted) {
      Item item = new Item(one.rule());
      if (!keys.add(one.rule().key())) {
        throw clash(placement, item, item);
      }
      items.add(item);
    }
    items.sort(Comparator.comparingInt(Item::priority).reversed());
    Map<RuleKey, RuleKey> shadowed = new HashMap<>();
    OverlapIndex<Item> winners = new OverlapIndex<>(); // of higher priority, and not shadowed
    int from = 0;
    while (from < items.size()) {
      int to = endOfPriority(items, from);
      List<Item> equals = items.subList(from, to);
      checkEquals(placement, equals);
      List<Item> won = new ArrayList<>();
      for (Item item : equals) {
        RuleKey by = shadower(item, winners, maxSplits);
        if (by == null) {
          won.add(item);
        } else {
          shadowed.put(item.rule.key(), by);
        }
      }
      won.forEach(winners::add);
      from = to;
    }
    return shadowed;
  }

  private static int endOfPriority(List<Item> items, int from) {
    int to = from + 1;
    while (to < items.size() && items.get(to).priority() == items.get(from).priority()) {
      to++;
    }
    return to;
  }

  /** Rules of one priority may overlap only if their treatments are equal. */
  private static void checkEquals(Placement placement, List<Item> equals)
      throws PlacementRefusedException {
    if (equals.size() == 1) {
      return;
    }
    OverlapIndex<Item> before = new OverlapIndex<>();
    for (Item item : equals) {
      Item[] clash = new Item[1];
      before.forEachOverlapping(
          item.match(),
          other -> {
            clash[0] = other.rule.treatment().equals(item.rule.treatment()) ? null : other;
            return clash[0] == null;
          });
      if (clash[0] != null) {
        throw clash(placement, item, clash[0]);
      }
      before.add(item);
    }
  }

  /** The rule that shadows another one alone; that rule itself if several do; or null. */
  private static @Nullable RuleKey shadower(Item item, OverlapIndex<Item> winners, int maxSplits) {
    Item[] alone = new Item[1];
    List<TernaryMatch> above = new ArrayList<>();
    winners.forEachOverlapping(
        item.match(),
        other -> {
          if (other.match().covers(item.match())) {
            alone[0] = other;
            return false;
          }
          above.add(other.match());
          return true;
        });
    if (alone[0] != null) {
      return alone[0].rule.key();
    }
    boolean together = Residual.coveredTogether(item.match(), above, maxSplits) == Proof.YES;
    return together ? item.rule.key() : null;
  }

  private static PlacementRefusedException clash(Placement placement, Item item, Item other) {
    return new PlacementRefusedException(
        Draft.refusal(
            placement,
            Refusal.Reason.CONFLICT,
            placement.controller(),
            item.rule.key(),
            "there is a rule of the same priority, "
                + other.rule.key()
                + ", for some of the same packets"));
  }
}
