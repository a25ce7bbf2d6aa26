package io.lockstep.placer;

import io.lockstep.placer.choice.Exchange;
import io.lockstep.placer.choice.Selection;
import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * Plans the moves that bring the rules with the most traffic forward, fit a layer to a new
 * capacity, and delete the entries that an abandoned plan left behind. These moves change the
 * treatment of no packet. The steps are complete after every exchange, so planning can stop at a
 * bound.
 */
final class ImprovementPlanner {
  /** The key in a message or a note that concerns no rule. */
  private static final RuleKey NO_RULE = new RuleKey(0, TernaryMatch.any());

  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;
  private final Moves moves;
  private final AggregatePlanner aggregates;

  ImprovementPlanner(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
    this.moves = new Moves(draft);
    this.aggregates = new AggregatePlanner(draft, options);
  }

  /** Plans one round of improvement over all layers. */
  void improve() {
    aggregates.deleteIdle();
    for (int layer = 0; layer < placement.controller(); layer++) {
      if (placement.layers.get(layer).profile.capacity().bounded()) {
        int here = layer;
        exchange(here);
        aggregates.improve(here, () -> exchange(here));
      } else {
        comeForward(layer);
      }
    }
  }

  private List<PlacedRule> notServedBefore(int layer) {
    List<PlacedRule> rules = new ArrayList<>();
    for (PlacedRule rule : placement.rules()) {
      if (rule.live && rule.home >= layer) {
        rules.add(rule);
      }
    }
    rules.sort(FillPlanner.BY_PRIORITY);
    return rules;
  }

  private static Selection present(LayerView view, int layer) {
    Selection selection = new Selection(view);
    for (int number = 0; number < view.size(); number++) {
      if (view.rule(number).home == layer) {
        selection.put(number);
      }
    }
    return selection;
  }

  private void exchange(int layer) {
    relieve(layer);
    long steady = placement.layers.get(layer).steady();
    List<PlacedRule> rules = notServedBefore(layer);
    LayerView view = new LayerView(placement, layer, rules, steady);
    Selection selection = present(view, layer);
    long excess = selection.used() - view.capacity();
    if (excess > 0) { // a reserve that cannot be freed stays used
      view = new LayerView(placement, layer, rules, steady + excess);
      selection = present(view, layer);
    }
    List<Exchange.Swap> swaps =
        Exchange.improve(
            selection, options.hysteresis(), options.maxExchanges(), options.maxLooks());
    for (Exchange.Swap swap : swaps) {
      int mark = draft.mark();
      try {
        for (int number : swap.out()) {
          back(view.rule(number), layer);
        }
        for (int number : swap.in()) {
          if (view.rule(number).home > layer) {
            moves.bringForward(view.rule(number), layer);
          }
        }
      } catch (PlacementRefusedException bound) {
        draft.backTo(mark);
        break; // later exchanges build on this one
      }
    }
    view.close();
  }

  private void back(PlacedRule rule, int layer) throws PlacementRefusedException {
    if (rule.home == layer) {
      moves.lower(rule, layer + 1);
    }
  }

  /** Moves rules forward into a layer with room for all that it can hold, the heaviest first. */
  private void comeForward(int layer) {
    List<PlacedRule> behind = new ArrayList<>();
    for (PlacedRule rule : placement.rules()) {
      if (rule.live && rule.home > layer && placement.holds(layer, rule)) {
        behind.add(rule);
      }
    }
    behind.sort(
        Comparator.<PlacedRule>comparingDouble(rule -> -rule.weight)
            .thenComparing(FillPlanner.BY_PRIORITY));
    int exchanges = 0;
    for (PlacedRule rule : behind) {
      int mark = draft.mark();
      try {
        moves.promote(rule, layer);
        if (++exchanges >= options.maxExchanges()) {
          return;
        }
      } catch (PlacementRefusedException stays) {
        draft.backTo(mark);
      }
    }
  }

  /**
   * Moves rules back until a layer is within a new capacity, and, if possible, its reserve is free.
   */
  void resize(int layer, long units) throws PlacementRefusedException {
    LayerTable table = placement.layers.get(layer);
    if (units < table.capacity) {
      fit(layer, Math.max(0, units - table.profile.reserveUnits()));
      if (table.used > units) {
        throw draft.blocked(
            Refusal.Reason.NO_ROOM, layer, NO_RULE, "it cannot shrink to " + units + " units");
      }
    }
    draft.step(Step.note(NO_RULE, false, new LogicalChange.Resize(layer, units)));
  }

  /** Moves rules back out of each layer whose reserve is used, until it is free if possible. */
  void relieve() {
    for (int layer = 0; layer < placement.controller(); layer++) {
      relieve(layer);
    }
  }

  private void relieve(int layer) {
    LayerTable table = placement.layers.get(layer);
    if (table.used > table.steady()) {
      fit(layer, table.steady());
    }
  }

  /** Moves rules back out of a layer until it uses so many units at most, if possible. */
  private void fit(int layer, long units) {
    LayerView view = new LayerView(placement, layer, notServedBefore(layer), units);
    try {
      for (int number : Exchange.fit(present(view, layer))) {
        int mark = draft.mark();
        try {
          back(view.rule(number), layer);
        } catch (PlacementRefusedException stays) {
          draft.backTo(mark);
        }
      }
    } finally {
      view.close();
    }
  }

  /** Deletes the entries that an abandoned plan left behind. */
  void tidy() {
    aggregates.deleteIdle();
    for (PlacedRule rule : placement.rules().stream().sorted(FillPlanner.BY_PRIORITY).toList()) {
      int mark = draft.mark();
      try {
        if (rule.live) {
          moves.tidyBehind(rule);
        } else {
          moves.clear(rule);
        }
        for (Entry entry : entriesOf(rule)) {
          if (!entry.terminal() && !placement.needed(entry)) {
            moves.writer.delete(entry);
          }
        }
      } catch (PlacementRefusedException bound) {
        draft.backTo(mark);
        return;
      }
    }
  }

  private static List<Entry> entriesOf(PlacedRule rule) {
    return Arrays.asList(rule.entries.toArray(Entry[]::new));
  }
}
