package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Rules that a switch gets together or not at all, such as both entries of a connection. A group
 * lasts until the switch has all of its rules, or rejects one. Control loop only.
 */
final class RuleGroups {
  /** The groups of each rule that the switch does not have yet; most have one. */
  private final Map<RuleKey, List<List<RuleKey>>> waiting = new HashMap<>();

  /** Adds a group. A rule that the switch does not have yet may be in several. */
  void add(List<RuleKey> group) {
    List<RuleKey> rules = List.copyOf(group);
    for (RuleKey rule : rules) {
      waiting.computeIfAbsent(rule, key -> new ArrayList<>(1)).add(rules);
    }
  }

  /** The rules of all groups of a rule, itself among them; empty where it is in none. */
  Set<RuleKey> with(RuleKey rule) {
    Set<RuleKey> together = new LinkedHashSet<>();
    waiting.getOrDefault(rule, List.of()).forEach(together::addAll);
    return Collections.unmodifiableSet(together);
  }

  /** The switch has a rule, or no one requests it any more. */
  void forget(RuleKey rule) {
    waiting.remove(rule);
  }

  /**
   * The switch does not get a rule. Ends its groups, and those of the rules in them that were still
   * to come.
   *
   * @return all rules of these groups, the rejected one first
   */
  Set<RuleKey> reject(RuleKey rule) {
    Set<RuleKey> rejected = new LinkedHashSet<>();
    Deque<RuleKey> next = new ArrayDeque<>(List.of(rule));
    while (!next.isEmpty()) {
      RuleKey one = next.remove();
      rejected.add(one);
      List<List<RuleKey>> groups = waiting.remove(one);
      if (groups != null) {
        groups.forEach(next::addAll);
      }
    }
    return rejected;
  }
}
