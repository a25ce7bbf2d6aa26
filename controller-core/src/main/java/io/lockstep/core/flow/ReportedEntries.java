package io.lockstep.core.flow;

import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.flow.entry.EntryComparison;
import io.lockstep.core.southbound.FlowStats;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.FlowRule;

/**
 * The entries that one read-back shows, by the rules that they may come from. Used by one thread.
 */
final class ReportedEntries {
  /** By what an entry names the rule that it comes from. */
  private record Label(int table, int priority, long cookie) {
    static Label of(FlowStats entry) {
      return new Label(entry.tableId(), entry.priority(), entry.cookie());
    }

    static Label of(FlowRule rule) {
      return new Label(IntentTable.tableNumber(rule), rule.priority(), Cookies.intended(rule));
    }
  }

  private final Map<Label, List<FlowStats>> left = new HashMap<>();
  private final List<FlowStats> copies = new ArrayList<>();

  /** Sorts the entries with cookies of rules; ignores all others. */
  ReportedEntries(List<FlowStats> stats) {
    for (FlowStats entry : stats) {
      if (Cookies.isIntended(entry.cookie()) || Cookies.isPlaced(entry.cookie())) {
        left.computeIfAbsent(Label.of(entry), any -> new ArrayList<>(1)).add(entry);
      }
    }
  }

  /**
   * What a read-back shows of one rule.
   *
   * @param entry its own; null where there is none
   * @param elsewhere whether entries with another match have its table, priority and cookie
   */
  record Found(@Nullable FlowStats entry, boolean elsewhere) {}

  /**
   * Takes a rule's entry out. Where it is there, other entries with the rule's cookie belong to no
   * rule. Where it is missing, these stay: the switch may report the match in a form that cannot be
   * compared.
   */
  Found take(FlowRule rule) {
    List<FlowStats> labelled = left.remove(Label.of(rule));
    if (labelled == null) {
      return new Found(null, false);
    }
    FlowStats own = null;
    List<FlowStats> others = new ArrayList<>();
    for (FlowStats entry : labelled) {
      if (own == null && EntryComparison.sameMatch(rule.selector(), entry.selector())) {
        own = entry;
      } else {
        others.add(entry);
      }
    }
    if (own != null) {
      copies.addAll(others);
    }
    return new Found(own, !others.isEmpty());
  }

  /** The entries that belong to no rule that was taken. */
  List<FlowStats> unexplained() {
    List<FlowStats> all = new ArrayList<>(copies);
    left.values().forEach(all::addAll);
    return all;
  }
}
