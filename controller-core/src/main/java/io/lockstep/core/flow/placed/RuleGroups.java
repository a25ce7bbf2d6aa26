package io.lockstep.core.flow.placed;

import io.lockstep.placer.RuleKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What decisions install that the switch does not have as a whole yet. A decision installs
 * <i>entries</i>, such as both of a connection, which the switch gets together or not at all; and
 * <i>guards</i>, which only send packets to the node, and which the switch must have before. So
 * dependence goes one way: where a guard is refused, the entries that wait for it end; where an
 * entry is refused, the others of its group end, and guards stay.
 *
 * <p>A group waits until the switch has all its rules, or until one of them is refused. An entry
 * may be in several groups, and ends with one of them only if none of the others has it. Control
 * loop only.
 */
final class RuleGroups {
  /** Rules in all groups that wait, a rule in two groups counted twice: some 6000 connections. */
  static final int MAX_RULES = 16_384;

  /** The entries and guards of one decision, in its order. */
  private record Decision(List<RuleKey> entries, List<RuleKey> guards) {}

  /** A decision that the switch does not have as a whole. */
  static final class Group {
    private final Decision decision;

    /** Entries that end if a guard is refused: those that no other decision got. */
    private final Set<RuleKey> entries;

    /** Of these, the ones that came with this decision: they end if one of them is refused. */
    private final Set<RuleKey> coming = new LinkedHashSet<>();

    private final Set<RuleKey> guards;

    /** Entries and guards that the switch does not have yet; never empty. */
    private final Set<RuleKey> missing = new LinkedHashSet<>();

    private Group(Decision decision) {
      this.decision = decision;
      this.entries = new LinkedHashSet<>(decision.entries());
      this.guards = new LinkedHashSet<>(decision.guards());
    }

    /** Its entries that the switch does not have yet, in the order of the decision. */
    List<RuleKey> missingEntries() {
      return entries.stream().filter(missing::contains).toList();
    }

    private void comes(RuleKey entry) {
      entries.add(entry);
      coming.add(entry);
      missing.add(entry);
    }

    private void needs(RuleKey guard) {
      guards.add(guard);
      missing.add(guard);
    }

    private int size() {
      return decision.entries().size() + decision.guards().size();
    }
  }

  /** Each waiting group by its decision, so that one that is repeated waits once. */
  private final Map<Decision, Group> waiting = new HashMap<>();

  /** The waiting groups of each entry and of each guard. */
  private final Map<RuleKey, Set<Group>> groupsOf = new HashMap<>();

  private int rules;

  /**
   * Adds what one decision installs; nothing where the switch has it.
   *
   * @param has whether the switch has a rule
   * @return whether there was room for the group
   */
  boolean add(Collection<RuleKey> entries, Collection<RuleKey> guards, Predicate<RuleKey> has) {
    Decision decision = new Decision(List.copyOf(entries), List.copyOf(guards));
    Group known = waiting.get(decision);
    Group group = known == null ? new Group(decision) : known;
    entries.stream().filter(has.negate()).forEach(group::comes);
    guards.stream().filter(has.negate()).forEach(group::needs);
    group.missing.removeIf(has);
    if (known == null && !group.missing.isEmpty() && group.size() > 1) {
      if (rules + group.size() > MAX_RULES) {
        return false;
      }
      rules += group.size();
      waiting.put(decision, group);
      entries.forEach(
          one -> groupsOf.computeIfAbsent(one, key -> new LinkedHashSet<>()).add(group));
      guards.forEach(one -> groupsOf.computeIfAbsent(one, key -> new LinkedHashSet<>()).add(group));
    } else if (group.missing.isEmpty()) {
      complete(group);
    }
    return true;
  }

  /** The waiting groups in which a rule is an entry that the switch does not have. */
  List<Group> of(RuleKey entry) {
    return groupsOf(entry).stream()
        .filter(group -> group.entries.contains(entry) && group.missing.contains(entry))
        .toList();
  }

  /** A guard that the switch must have before an entry; null where there is none. */
  @Nullable RuleKey missingGuard(RuleKey entry) {
    for (Group group : of(entry)) {
      for (RuleKey guard : group.guards) {
        if (group.missing.contains(guard)) {
          return guard;
        }
      }
    }
    return null;
  }

  /** Whether a waiting group has this rule as an entry. */
  boolean hasEntry(RuleKey rule) {
    return groupsOf(rule).stream().anyMatch(group -> group.entries.contains(rule));
  }

  /** The switch has a rule. */
  void placed(RuleKey rule) {
    for (Group group : groupsOf(rule)) {
      group.missing.remove(rule);
      if (group.missing.isEmpty()) {
        complete(group);
      }
    }
  }

  /** No one requests a rule any more: the groups go on without it. */
  void withdrawn(RuleKey rule) {
    for (Group group : groupsOf(rule)) {
      group.entries.remove(rule);
      group.coming.remove(rule);
      group.guards.remove(rule);
      group.missing.remove(rule);
      if (group.missing.isEmpty()) {
        complete(group);
      } else if (group.entries.isEmpty()) {
        end(group);
      }
    }
  }

  /**
   * The switch does not get a rule, so the groups that wait for it end.
   *
   * @return the entries that end with them, in the order of their decisions
   */
  Set<RuleKey> endGroupsOf(RuleKey rule) {
    Set<RuleKey> ended = new LinkedHashSet<>();
    for (Group group : groupsOf(rule)) {
      if (group.guards.contains(rule) && group.missing.contains(rule)) {
        group.decision.entries().stream().filter(group.entries::contains).forEach(ended::add);
        end(group);
      } else if (group.coming.contains(rule)) {
        group.decision.entries().stream().filter(group.coming::contains).forEach(ended::add);
        end(group);
      }
    }
    ended.remove(rule);
    ended.removeIf(this::hasEntry);
    return ended;
  }

  /** The switch has a decision as a whole, so its entries end with no other one. */
  private void complete(Group group) {
    end(group);
    for (RuleKey entry : group.decision.entries()) {
      for (Group other : groupsOf(entry)) {
        other.entries.remove(entry);
        other.coming.remove(entry);
        if (other.entries.isEmpty()) {
          end(other);
        }
      }
    }
  }

  private void end(Group group) {
    if (waiting.remove(group.decision, group)) {
      rules -= group.size();
      forget(group.decision.entries(), group);
      forget(group.decision.guards(), group);
    }
  }

  private void forget(List<RuleKey> keys, Group group) {
    for (RuleKey key : keys) {
      Set<Group> groups = groupsOf.get(key);
      if (groups != null && groups.remove(group) && groups.isEmpty()) {
        groupsOf.remove(key);
      }
    }
  }

  /** A copy, since what is done with the groups of a rule may end some. */
  private List<Group> groupsOf(RuleKey rule) {
    Set<Group> groups = groupsOf.get(rule);
    return groups == null ? List.of() : new ArrayList<>(groups);
  }
}
