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
 * Places a whole set of rules. First the controller serves all of them, then they come forward in
 * the order of descending priority, so that each entry is written once and nothing is ever seen.
 */
final class Filling {
  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;

  Filling(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
  }

  void fill(List<Wanted> wanted) throws Blocked {
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
    draft.step(Step.note(wanted.get(0).rule().key(), true, new Logical.Fill(wanted, shadowed)));
    List<Placed> rest = new ArrayList<>(placement.rules());
    rest.removeIf(rule -> !rule.live);
    rest.sort(BY_PRIORITY);
    List<List<Placed>> chosen = new ArrayList<>();
    for (int layer = 0; layer < placement.controller(); layer++) {
      List<Placed> here = choose(layer, rest);
      chosen.add(here);
      Set<Placed> taken = new HashSet<>(here);
      rest.removeIf(taken::contains);
    }
    if (!options.controllerServes() && !rest.isEmpty()) {
      throw whyNowhere(rest.get(0).key);
    }
    write(chosen, rest);
  }

  static final Comparator<Placed> BY_PRIORITY =
      Comparator.<Placed>comparingInt(Placed::priority)
          .reversed()
          .thenComparingLong(rule -> rule.arrival);

  private Blocked whyNowhere(RuleKey key) {
    int last = placement.controller() - 1;
    for (int layer = 0; layer <= last; layer++) {
      if (placement.holds(layer, key)) {
        return draft.blocked(
            Refusal.Reason.NO_ROOM,
            layer,
            key,
            "not all rules fit, nor may the controller serve it");
      }
    }
    return draft.blocked(
        Refusal.Reason.CANNOT_HOLD,
        last,
        key,
        "no layer can hold it: the layer " + placement.profile.whyNot(last, key.match()));
  }

  private List<Placed> choose(int layer, List<Placed> rest) {
    List<Placed> all = allThatCan(layer, rest);
    if (all != null) {
      return all;
    }
    LayerView view = new LayerView(placement, layer, rest, placement.layers.get(layer).steady());
    Selection selection = options.policy().choose(view);
    List<Placed> chosen = new ArrayList<>();
    for (int number : selection.rules()) {
      chosen.add(view.rule(number));
    }
    view.close();
    return chosen;
  }

  /** Everything that a layer can hold at all, or null where that does not fit. */
  private @Nullable List<Placed> allThatCan(int layer, List<Placed> rest) {
    LayerTable table = placement.layers.get(layer);
    OverlapIndex<Placed> out = new OverlapIndex<>();
    List<Placed> in = new ArrayList<>();
    Set<RuleKey> covers = new HashSet<>();
    long used = 0;
    for (Placed rule : rest) {
      List<RuleKey> newCovers = new ArrayList<>();
      boolean fits =
          placement.holds(layer, rule.key)
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

  /** Writes entries from the highest priority down; {@code rest} stays with the controller. */
  private void write(List<List<Placed>> chosen, List<Placed> rest) throws Blocked {
    record Way(Placed rule, int layer) {}
    List<Way> ways = new ArrayList<>();
    List<OverlapIndex<Placed>> later = new ArrayList<>();
    for (int layer = 0; layer < chosen.size(); layer++) {
      later.add(new OverlapIndex<>());
      for (Placed rule : chosen.get(layer)) {
        ways.add(new Way(rule, layer));
      }
    }
    rest.forEach(rule -> ways.add(new Way(rule, placement.controller())));
    ways.sort(Comparator.comparing(Way::rule, BY_PRIORITY));
    Moves moves = new Moves(draft);
    for (Way way : ways) {
      if (way.layer() < placement.controller()) {
        // Everything above is written already; only what went further back needs covers.
        List<Placed> above = later.get(way.layer()).overlapping(way.rule().match());
        above.removeIf(rule -> !rule.above(way.rule()));
        moves.coverAll(above, way.rule().key, way.layer());
        moves.putTerminal(way.rule(), way.layer());
      }
      for (int layer = 0; layer < way.layer(); layer++) {
        later.get(layer).add(way.rule());
      }
    }
  }
}
