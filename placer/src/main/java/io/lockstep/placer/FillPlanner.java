package io.lockstep.placer;

import io.lockstep.placer.choice.Selection;
import io.lockstep.placer.space.OverlapIndex;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Plans how a whole set of rules enters an empty placement. First the controller serves all of
 * them; then they move forward in the order of descending priority. So each entry is written once,
 * and the treatment of packets does not change meanwhile.
 */
final class FillPlanner {
  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;

  FillPlanner(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
  }

  void fill(List<WeightedRule> wanted) throws PlacementRefusedException {
    if (!placement.rules().isEmpty() || wanted.isEmpty()) {
      if (!wanted.isEmpty()) {
        throw draft.blocked(
            Refusal.Reason.CONFLICT,
            placement.controller(),
            wanted.get(0).rule().key(),
            "there are rules already; add one by one");
      }
      return;
    }
    Map<RuleKey, RuleKey> shadowed = RuleSet.shadowed(placement, wanted, options.shadowSplits());
    draft.step(
        Step.note(wanted.get(0).rule().key(), true, new LogicalChange.Fill(wanted, shadowed)));
    List<PlacedRule> rest = new ArrayList<>(placement.rules());
    rest.removeIf(rule -> !rule.live);
    rest.sort(BY_PRIORITY);
    List<List<PlacedRule>> chosen = new ArrayList<>();
    for (int layer = 0; layer < placement.controller(); layer++) {
      List<PlacedRule> here = choose(layer, rest);
      chosen.add(here);
      Set<PlacedRule> taken = new HashSet<>(here);
      rest.removeIf(taken::contains);
    }
    if (!options.controllerServes() && !rest.isEmpty()) {
      throw whyNowhere(rest.get(0));
    }
    write(chosen);
  }

  static final Comparator<PlacedRule> BY_PRIORITY =
      Comparator.<PlacedRule>comparingInt(PlacedRule::priority)
          .reversed()
          .thenComparingLong(rule -> rule.arrival);

  private PlacementRefusedException whyNowhere(PlacedRule rule) {
    int last = placement.controller() - 1;
    for (int layer = 0; layer <= last; layer++) {
      if (placement.holds(layer, rule)) {
        return draft.blocked(
            Refusal.Reason.NO_ROOM,
            layer,
            rule.key,
            "not all rules fit, nor may the controller serve it");
      }
    }
    return draft.blocked(
        Refusal.Reason.CANNOT_HOLD,
        last,
        rule.key,
        "no layer can hold it: the layer "
            + placement.profile.whyNot(last, rule.match(), rule.rewrites));
  }

  private List<PlacedRule> choose(int layer, List<PlacedRule> rest) {
    List<PlacedRule> all = allThatCan(layer, rest);
    if (all != null) {
      return all;
    }
    LayerView view = new LayerView(placement, layer, rest, placement.layers.get(layer).steady());
    Selection selection = options.policy().choose(view);
    List<PlacedRule> chosen = new ArrayList<>();
    for (int number : selection.rules()) {
      chosen.add(view.rule(number));
    }
    view.close();
    return chosen;
  }

  /** All rules whose match a layer can hold, or null if they do not fit. */
  private @Nullable List<PlacedRule> allThatCan(int layer, List<PlacedRule> rest) {
    LayerTable table = placement.layers.get(layer);
    OverlapIndex<PlacedRule> out = new OverlapIndex<>();
    List<PlacedRule> in = new ArrayList<>();
    Set<RuleKey> covers = new HashSet<>();
    long used = 0;
    for (PlacedRule rule : rest) {
      List<RuleKey> newCovers = new ArrayList<>();
      boolean fits =
          placement.holds(layer, rule)
              && out.forEachOverlapping(
                  rule.match(),
                  above -> {
                    if (!above.above(rule)) {
                      return true;
                    }
                    RuleKey cover = placement.coverKey(above.key, rule.key, layer);
                    return cover != null && (covers.contains(cover) || newCovers.add(cover));
                  });
      if (!fits) {
        out.add(rule);
        continue;
      }
      used += table.unitsOf(rule.match());
      for (RuleKey cover : newCovers) {
        used += covers.add(cover) ? table.unitsOf(cover.match()) : 0;
      }
      if (used > table.steady()) {
        return null;
      }
      in.add(rule);
    }
    return in;
  }

  /** Writes entries from the highest priority down; the controller continues to serve the rest. */
  private void write(List<List<PlacedRule>> chosen) throws PlacementRefusedException {
    record Assignment(PlacedRule rule, int layer) {}
    List<Assignment> assignments = new ArrayList<>();
    for (int layer = 0; layer < chosen.size(); layer++) {
      for (PlacedRule rule : chosen.get(layer)) {
        assignments.add(new Assignment(rule, layer));
      }
    }
    assignments.sort(Comparator.comparing(Assignment::rule, BY_PRIORITY));
    Moves moves = new Moves(draft);
    for (Assignment assignment : assignments) {
      promote(moves, assignment.rule(), assignment.layer());
    }
  }

  /** Moves a rule into its layer, or behind it if not all that the choice assumed is proven. */
  private void promote(Moves moves, PlacedRule rule, int layer) throws PlacementRefusedException {
    PlacementRefusedException first = null;
    for (int to = layer; to < placement.controller(); to++) {
      int mark = draft.mark();
      try {
        moves.promote(rule, to);
        return;
      } catch (PlacementRefusedException next) {
        draft.backTo(mark);
        first = first == null ? next : first;
      }
    }
    if (first != null && !options.controllerServes()) {
      throw first;
    }
  }
}
