package io.lockstep.placer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Makes room in a layer that lacks it by moving other rules, one after the other, each once. A rule
 * that an earlier layer covers is best moved into the place of its cover: that takes no room there.
 * Moves that free more room than they take come before others, since two full layers have room
 * again only where covers go.
 */
final class RoomMaker {
  /** Rules that are moved for one new rule. */
  private static final int MOST_MOVED = 24;

  /** Moves that are tried for one new rule. */
  private static final int MOST_TRIED = 256;

  /** Possible moves that are compared before one is taken that gains no room in total. */
  private static final int COMPARED = 8;

  private static final Comparator<PlacedRule> LIGHTEST_FIRST =
      Comparator.<PlacedRule>comparingDouble(rule -> rule.weight)
          .thenComparing(FillPlanner.BY_PRIORITY.reversed());

  private final Draft draft;
  private final Placement placement;
  private final Moves moves;
  private final Set<PlacedRule> moved = new HashSet<>();
  private int tried;

  RoomMaker(Draft draft, Moves moves) {
    this.draft = draft;
    this.placement = draft.placement;
    this.moves = moves;
  }

  /** Begins with another way for the same new rule: the moves so far are undone. */
  void restart() {
    moved.clear();
  }

  /**
   * Frees some room where an attempt lacked it.
   *
   * @return whether there is room to try again; not if the attempt lacked something else, or no
   *     rule can move out of the layer
   */
  boolean free(Refusal lack) {
    int layer = lacking(lack);
    return layer >= 0 && (forward(layer) || back(layer) || backBehindOthers(layer));
  }

  /** Moves rules forward out of later layers until a rule of this layer can move there. */
  private boolean backBehindOthers(int layer) {
    for (int later = layer + 1; later < placement.controller(); later++) {
      if (placement.layers.get(later).bounded() && forward(later) && back(layer)) {
        return true;
      }
    }
    return false;
  }

  /** The bounded layer that an attempt found full, or -1. */
  private int lacking(Refusal lack) {
    if (lack.reason() == Refusal.Reason.NO_ROOM) {
      for (int layer = 0; layer < placement.controller(); layer++) {
        LayerTable table = placement.layers.get(layer);
        if (table.profile.id().equals(lack.layer()) && table.bounded()) {
          return layer;
        }
      }
    }
    return -1;
  }

  /** Moves a rule of a layer into an earlier one, best where it is covered. */
  private boolean forward(int layer) {
    List<PlacedRule> covered = new ArrayList<>();
    List<PlacedRule> others = new ArrayList<>();
    if (layer > 0) {
      for (PlacedRule rule : movable(layer)) {
        (firstCover(rule) < layer ? covered : others).add(rule);
      }
    }
    covered.sort(FillPlanner.BY_PRIORITY);
    if (moveOne(covered, layer, 0, layer)) {
      return true;
    }
    others.sort(FillPlanner.BY_PRIORITY);
    return moveOne(others, layer, 0, layer);
  }

  /** Moves a rule of a layer into a later one. */
  private boolean back(int layer) {
    if (layer + 1 == placement.controller()) {
      return false;
    }
    List<PlacedRule> rules = movable(layer);
    rules.sort(LIGHTEST_FIRST);
    return moveOne(rules, layer, layer + 1, placement.controller());
  }

  private List<PlacedRule> movable(int layer) {
    List<PlacedRule> rules = new ArrayList<>();
    for (Entry entry : placement.layers.get(layer).entries.values()) {
      if (entry.terminal() && entry.owner.home == layer && !moved.contains(entry.owner)) {
        rules.add(entry.owner);
      }
    }
    return rules;
  }

  /** The first layer with a cover that has the match of the whole rule, or its home. */
  private static int firstCover(PlacedRule rule) {
    int first = rule.home;
    for (Entry entry : rule.entries) {
      if (entry.layer < first && entry.key.equals(rule.key)) {
        first = entry.layer;
      }
    }
    return first;
  }

  /**
   * Moves the first of some rules whose move gains room in total, or else the first that frees room
   * in its layer.
   *
   * @param from the layer of the rules
   * @param begin the first layer to which they may move
   * @param end behind the last one
   */
  private boolean moveOne(List<PlacedRule> rules, int from, int begin, int end) {
    PlacedRule fallback = null;
    int fallbackLayer = -1;
    int possible = 0;
    for (PlacedRule rule : rules) {
      for (int to = begin; to < end; to++) {
        if (!mayMove(rule, to)) {
          continue;
        }
        if (tried++ >= MOST_TRIED || possible >= COMPARED) {
          return fallback != null && move(fallback, from, fallbackLayer);
        }
        int mark = draft.mark();
        long before = usedOfBounded();
        if (move(rule, from, to)) {
          if (usedOfBounded() < before) {
            return true;
          }
          possible++;
          if (fallback == null) {
            fallback = rule;
            fallbackLayer = to;
          }
          moved.remove(rule);
          draft.backTo(mark);
        }
      }
    }
    return fallback != null && move(fallback, from, fallbackLayer);
  }

  /** Whether it is not clear already that a layer lacks room for a rule. */
  private boolean mayMove(PlacedRule rule, int to) {
    if (!placement.holds(to, rule)) {
      return false;
    }
    LayerTable table = placement.layers.get(to);
    return table.entry(rule.key) != null
        || table.used + table.unitsOf(rule.match()) <= table.capacity;
  }

  /** Moves a rule if that frees room in its layer. */
  private boolean move(PlacedRule rule, int from, int to) {
    if (moved.size() >= MOST_MOVED) {
      return false;
    }
    LayerTable table = placement.layers.get(from);
    long used = table.used;
    int mark = draft.mark();
    try {
      if (to < from) {
        moves.promote(rule, to);
      } else {
        moves.demote(rule, to);
      }
      if (table.used < used) {
        moved.add(rule);
        return true;
      }
    } catch (PlacementRefusedException stays) {
      // it stays, as one whose move frees nothing
    }
    draft.backTo(mark);
    return false;
  }

  private long usedOfBounded() {
    long used = 0;
    for (LayerTable table : placement.layers) {
      used += table.bounded() ? table.used : 0;
    }
    return used;
  }
}
