package io.lockstep.placer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes room in a layer that lacks it: moves rules with little traffic into other layers, one after
 * the other, each once.
 */
final class RoomMaker {
  /** Rules that are moved for one new rule. */
  private static final int MOST_MOVED = 8;

  /** Rules whose moves are tried. */
  private static final int MOST_TRIED = 64;

  private final Draft draft;
  private final Placement placement;
  private final Moves moves;
  private final Set<PlacedRule> tried = new HashSet<>();
  private int moved;

  RoomMaker(Draft draft, Moves moves) {
    this.draft = draft;
    this.placement = draft.placement;
    this.moves = moves;
  }

  /**
   * Frees some room where an attempt lacked it.
   *
   * @return whether there is room to try again; not if the attempt lacked something else, or no
   *     rule can move out of the layer
   */
  boolean free(Refusal lack) {
    if (lack.reason() != Refusal.Reason.NO_ROOM || moved == MOST_MOVED) {
      return false;
    }
    for (int layer = 0; layer < placement.controller(); layer++) {
      LayerTable table = placement.layers.get(layer);
      if (table.profile.id().equals(lack.layer()) && table.bounded()) {
        return free(layer);
      }
    }
    return false;
  }

  private boolean free(int layer) {
    LayerTable table = placement.layers.get(layer);
    for (PlacedRule rule : candidates(layer)) {
      if (tried.size() == MOST_TRIED) {
        return false;
      }
      tried.add(rule);
      for (int other = placement.controller() - 1; other >= 0; other--) {
        int mark = draft.mark();
        long used = table.used;
        if (other != layer && moves(rule, layer, other) && table.used < used) {
          moved++;
          return true;
        }
        draft.backTo(mark);
      }
    }
    return false;
  }

  private boolean moves(PlacedRule rule, int from, int to) {
    if (!placement.holds(to, rule)) {
      return false;
    }
    try {
      if (to < from) {
        moves.promote(rule, to);
      } else {
        moves.demote(rule, to);
      }
      return true;
    } catch (PlacementRefusedException stays) {
      return false;
    }
  }

  /** Rules of a layer, the lightest first; of those with equal traffic, the lowest first. */
  private List<PlacedRule> candidates(int layer) {
    List<PlacedRule> rules = new ArrayList<>();
    for (Entry entry : placement.layers.get(layer).entries.values()) {
      if (entry.terminal() && entry.owner.home == layer && !tried.contains(entry.owner)) {
        rules.add(entry.owner);
      }
    }
    rules.sort(
        Comparator.<PlacedRule>comparingDouble(rule -> rule.weight)
            .thenComparing(FillPlanner.BY_PRIORITY.reversed()));
    return rules;
  }
}
