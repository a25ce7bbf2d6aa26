package io.lockstep.core.placer;

import io.lockstep.core.placer.space.Matched;
import io.lockstep.core.placer.space.OverlapIndex;
import io.lockstep.core.placer.space.Residual;
import io.lockstep.core.placer.space.Residual.Proof;
import io.lockstep.core.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Looks at a whole set of rules: for contradictions, and for rules that can never win a packet. */
final class RuleSet {
  private record Item(Rule rule, TernaryMatch match) implements Matched {
    Item(Rule rule) {
      this(rule, rule.key().match());
    }

    int priority() {
      return rule.key().priority();
    }
  }

  private RuleSet() {}

  /**
   * The rules that are surely shadowed, each with the rule that does it alone, or with itself where
   * it takes several.
   *
   * @throws Blocked where two rules of one priority treat the same packets differently, or are one
   */
  static Map<RuleKey, RuleKey> shadowed(Placement placement, List<Wanted> wanted, int maxSplits)
      throws Blocked {
    OverlapIndex<Item> index = new OverlapIndex<>();
    List<Item> items = new ArrayList<>();
    Set<RuleKey> keys = new HashSet<>();
    for (Wanted one : wanted) {
      Item item = new Item(one.rule());
      if (!keys.add(one.rule().key())) {
        throw clash(placement, item, item);
      }
      items.add(item);
    }
    items.sort(Comparator.comparingInt(Item::priority).reversed());
    Map<RuleKey, RuleKey> shadowed = new HashMap<>();
    List<TernaryMatch> above = new ArrayList<>();
    for (Item item : items) { // with all of higher priority in the index, and some of the same
      above.clear();
      Item[] alone = new Item[1];
      Item[] clash = new Item[1];
      index.forEachOverlapping(
          item.match(),
          other -> {
            if (other.priority() > item.priority()) {
              above.add(other.match());
              alone[0] = other.match().covers(item.match()) ? other : alone[0];
            } else if (other.priority() == item.priority()
                && !other.rule.treatment().equals(item.rule.treatment())) {
              clash[0] = other;
            }
            return clash[0] == null;
          });
      if (clash[0] != null) {
        throw clash(placement, item, clash[0]);
      }
      index.add(item);
      if (alone[0] != null) {
        shadowed.put(item.rule.key(), alone[0].rule.key());
      } else if (Residual.covered(item.match(), above, maxSplits) == Proof.YES) {
        shadowed.put(item.rule.key(), item.rule.key());
      }
    }
    return shadowed;
  }

  private static Blocked clash(Placement placement, Item item, Item other) {
    return new Blocked(
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
