package io.lockstep.deploy.placed.oracle;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rules that were asked for, as one table. While changes are under way a state of the switch is
 * right if it is one of the tables that lie between: each rule under way is as before or as wanted,
 * and that for all packets alike. Thread-safe.
 */
public final class LogicalTable {
  /** What a packet gets that no rule matches. */
  public static final long CONTROLLER = -3;

  private final List<WantedRule> rules = new ArrayList<>();
  private final WantedRule.Mark mark;

  /** Whether the node says that a rule is not in the switch, though it was. */
  private Predicate<WantedRule> takenBack = rule -> false;

  /** A table of rules that mark packets with the number of their treatment. */
  public LogicalTable() {
    this(WantedRule.Mark.NUMBER);
  }

  /** A table of rules that mark packets in a way. */
  public LogicalTable(WantedRule.Mark mark) {
    this.mark = mark;
  }

  WantedRule.Mark mark() {
    return mark;
  }

  /** What one state of a switch showed of the rules that are under way. */
  public final class State {
    private final Map<WantedRule, Long> shown = new HashMap<>();

    /** The first that has to be in the switch, of the rules that match a packet. */
    private @Nullable WantedRule ender;

    /**
     * Looks at one packet.
     *
     * @param answer what the switch did with it
     * @return what is wrong with that; null for nothing
     */
    public @Nullable String wrong(Header header, long answer) {
      synchronized (LogicalTable.this) {
        String wrong = look(header, answer);
        while (wrong != null && ender != null && isTakenBack(ender)) {
          wrong = look(header, answer);
        }
        return wrong;
      }
    }

    /** A rule that was hidden can find no room when it is not any more; it is told before. */
    private boolean isTakenBack(WantedRule rule) {
      boolean taken = takenBack.test(rule);
      if (taken) {
        rule.possible = Set.of(WantedRule.ABSENT, rule.wanted);
      }
      return taken;
    }

    private @Nullable String look(Header header, long answer) {
      if (header.get(Field.ETH_TYPE) == Field.LLDP) {
        return answer == CONTROLLER ? null : header + " of link discovery gets " + answer;
      }
      List<WantedRule> above = new ArrayList<>();
      List<WantedRule> aboveIt = List.of();
      WantedRule explains = null;
      boolean several = false;
      ender = null;
      for (int i = 0; i < rules.size() && ender == null; i++) {
        WantedRule rule = rules.get(i);
        if (rule.match.matches(header)) {
          if (rule.possible.contains(answer)) {
            several = explains != null;
            explains = rule;
            aboveIt = List.copyOf(above);
          }
          above.add(rule);
          ender = rule.possible.contains(WantedRule.ABSENT) ? null : rule;
        }
      }
      boolean missed = answer == CONTROLLER && ender == null;
      if (explains == null && !missed) {
        return header + " gets " + answer + "; rules that match: " + above;
      } else if (several) {
        return null; // more than one rule would do this; nothing is known of any
      }
      String wrong = explains == null ? null : show(explains, answer, header);
      for (WantedRule rule : explains == null ? above : aboveIt) {
        wrong = wrong == null ? show(rule, WantedRule.ABSENT, header) : wrong;
      }
      return wrong;
    }

    /** A rule is in this state as one packet shows; another must not show it otherwise. */
    private @Nullable String show(WantedRule rule, long answer, Header header) {
      Long before = shown.putIfAbsent(rule, answer);
      return before == null || before == answer
          ? null
          : header + " shows " + answer + " for " + rule + ", another packet " + before;
    }
  }

  /** Who knows whether a rule was taken back; may wait for the news, while the switch waits. */
  synchronized void takeBack(Predicate<WantedRule> says) {
    takenBack = says;
  }

  /** A state to be looked at. */
  public State state() {
    return new State();
  }

  /** Whether there is, or may be, a rule of this priority that has packets in common. */
  synchronized boolean clashes(int priority, Match match) {
    return rules.stream().anyMatch(one -> one.priority == priority && one.match.overlaps(match));
  }

  /** A rule is about to be asked for. */
  synchronized WantedRule add(int priority, Match match, long wanted) {
    WantedRule rule = new WantedRule(priority, match, mark, wanted);
    int at = 0;
    while (at < rules.size() && rules.get(at).priority >= priority) {
      at++;
    }
    rules.add(at, rule);
    return rule;
  }

  /** A rule is about to be asked for otherwise; ABSENT where it is to go. */
  synchronized void want(WantedRule rule, long wanted) {
    rule.wanted = wanted;
    List<Long> both = new ArrayList<>(rule.possible);
    both.add(wanted);
    rule.possible = Set.copyOf(both);
  }

  /** The switch makes of a rule what is wanted, by what the node says; one that is gone is over. */
  synchronized void settle(WantedRule rule) {
    rule.possible = Set.of(rule.wanted);
    if (rule.wanted == WantedRule.ABSENT) {
      rules.remove(rule);
    }
  }

  /** How many rules there are, those included of which it is not decided whether they are. */
  public synchronized int size() {
    return rules.size();
  }

  /** Rules of which more than one thing may be so. */
  synchronized List<WantedRule> open() {
    return rules.stream().filter(rule -> rule.possible.size() > 1).toList();
  }

  synchronized WantedRule get(int index) {
    return rules.get(index);
  }
}
