package io.lockstep.placer;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/**
 * Frees the places of covers while there are some free units to move rules with: in full tables no
 * rule can move any more. A cover goes where its rule comes forward together with all that wins
 * over it, or where all rules that need it go back. Each group of moves frees more units than it
 * takes, and is left out otherwise. No packet sees it. See ADR 0047.
 */
final class Compaction {
  /** It begins when bounded layers have fewer free units in total, or a smaller part of theirs. */
  private static final int SPARE_UNITS = 16;

  private static final int SPARE_PART = 32;
  private static final int LEAST_SPARE_UNITS = 2;

  /** Covers that are looked at for one change. */
  private static final int MOST_TRIED = 24;

  /** Rules that move for the sake of one cover. */
  private static final int MOST_MOVED = 8;

  /** It ends when it has freed so many units. */
  private static final int ENOUGH_UNITS = 2;

  private final Draft draft;
  private final Placement placement;
  private final Moves moves;

  /** Rules that may still move for the present cover. */
  private int left;

  Compaction(Draft draft, Moves moves) {
    this.draft = draft;
    this.placement = draft.placement;
    this.moves = moves;
  }

  /** Whether hardly a unit is left that rules may use. */
  boolean due() {
    int last = placement.controller() - 1;
    if (last < 1 || !placement.profile.locationsVisible()) {
      return false;
    }
    long free = 0;
    long all = 0;
    for (int layer = 0; layer <= last; layer++) {
      LayerTable table = placement.layers.get(layer);
      if (!table.bounded()) {
        return false;
      }
      long units = layer < last ? table.steady() : table.capacity;
      if (table.profile.terminal()) {
        free += Math.max(0, units - table.used);
        all += units;
      }
    }
    return free < Math.max(LEAST_SPARE_UNITS, Math.min(SPARE_UNITS, all / SPARE_PART));
  }

  /**
   * Frees some units.
   *
   * @param from which of the covers is looked at first: others for each change
   * @return whether it freed any
   */
  boolean free(long from) {
    long before = used();
    int tried = 0;
    for (int layer = 0; layer + 1 < placement.controller(); layer++) {
      List<Entry> covers = covers(layer);
      if (!covers.isEmpty()) {
        Collections.rotate(covers, (int) -(from % covers.size()));
      }
      for (Entry cover : covers) {
        if (before - used() >= ENOUGH_UNITS || tried++ >= MOST_TRIED) {
          return used() < before;
        }
        if (placement.layers.get(layer).has(cover) && !cover.terminal()) {
          close(cover);
        }
      }
    }
    return used() < before;
  }

  private List<Entry> covers(int layer) {
    List<Entry> covers = new ArrayList<>();
    for (Entry entry : placement.layers.get(layer).entries.values()) {
      if (!entry.terminal() && entry.owner.home < placement.controller()) {
        covers.add(entry);
      }
    }
    covers.sort(Comparator.comparing((Entry entry) -> entry.owner, FillPlanner.BY_PRIORITY));
    return covers;
  }

  private void close(Entry cover) {
    if (!gains(() -> forward(cover.owner, cover.layer))) {
      gains(() -> back(cover));
    }
  }

  /** A group of moves. */
  @FunctionalInterface
  private interface Group {
    void move() throws PlacementRefusedException;
  }

  /** Makes a group of moves if it frees units, and takes no reserve. */
  private boolean gains(Group group) {
    int mark = draft.mark();
    long before = used();
    long[] usedBefore = placement.layers.stream().mapToLong(table -> table.used).toArray();
    left = MOST_MOVED;
    try {
      group.move();
      if (used() < before && keepsReserves(usedBefore)) {
        return true;
      }
    } catch (PlacementRefusedException stays) {
      // they stay, as where their moves free nothing
    }
    draft.backTo(mark);
    return false;
  }

  private boolean keepsReserves(long[] usedBefore) {
    for (int layer = 0; layer < placement.controller() - 1; layer++) {
      LayerTable table = placement.layers.get(layer);
      if (table.used > Math.max(usedBefore[layer], table.steady())) {
        return false;
      }
    }
    return true;
  }

  /** Moves a rule forward behind those that would need covers then. */
  private void forward(PlacedRule rule, int layer) throws PlacementRefusedException {
    List<PlacedRule> above =
        Dependencies.of(placement, rule.key, layer).missing(placement, rule.key, layer, MOST_MOVED);
    if (above.size() >= left) {
      throw tooMany(rule, layer);
    }
    left--;
    for (PlacedRule one : above) {
      if (one.home > layer) {
        forward(one, layer);
      }
    }
    if (rule.home > layer) {
      moves.promote(rule, layer);
    }
  }

  /** Moves the rules back that may need a cover, the lowest first: those need no cover then. */
  private void back(Entry cover) throws PlacementRefusedException {
    int home = cover.owner.home;
    List<PlacedRule> below = placement.terminalsBelow(cover.key, cover.layer);
    if (below.size() > MOST_MOVED) {
      throw tooMany(cover.owner, cover.layer);
    }
    below.sort(FillPlanner.BY_PRIORITY.reversed());
    for (PlacedRule rule : below) {
      if (rule.home == cover.layer && placement.holds(home, rule)) {
        moves.demote(rule, home);
      }
    }
  }

  private PlacementRefusedException tooMany(PlacedRule rule, int layer) {
    return draft.blocked(
        Refusal.Reason.TOO_MANY_STEPS,
        layer,
        rule.key,
        "more than " + MOST_MOVED + " rules would move for the place of one cover");
  }

  private long used() {
    long used = 0;
    for (LayerTable table : placement.layers) {
      used += table.bounded() ? table.used : 0;
    }
    return used;
  }
}
