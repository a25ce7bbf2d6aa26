package io.lockstep.placer;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans how a rule leaves: first the rules that it hides get their entries, then nothing before its
 * layer covers it, then its own entry goes, which is the visible step. See ADR 0008 and ADR 0047.
 */
final class Removals {
  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;
  private final Moves moves;
  private final ShadowFinder shadows;

  Removals(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
    this.moves = new Moves(draft);
    this.shadows = new ShadowFinder(placement, options.shadowSplits());
  }

  /**
   * Removes a rule.
   *
   * @param heir a shadowed rule that replaces it, in its layer if possible
   */
  void remove(PlacedRule rule, @Nullable PlacedRule heir) throws PlacementRefusedException {
    LogicalChange drop = new LogicalChange.Drop(rule.key);
    if (!rule.live) {
      moves.clear(rule);
      draft.step(Step.note(rule.key, false, drop));
      return;
    }
    moves.leaveOneEntry(rule);
    for (PlacedRule revived : shadows.revivedWithout(rule)) {
      revive(revived, revived.equals(heir) ? rule.home : placement.controller());
    }
    prepareRemoval(rule);
    if (rule.home == placement.controller()) {
      draft.step(Step.note(rule.key, true, drop));
      return;
    }
    int home = rule.home;
    draft.step(new Step(Step.Kind.DELETE, home, rule.key, rule.key, null, true, drop));
    moves.writer.pruneAbove(rule.key, home);
  }

  /**
   * Gives hidden rules their entries before the rule that hides them leaves.
   *
   * @return hidden rules that no layer takes, with the reasons
   */
  Map<RuleKey, Refusal> prepare(PlacedRule hiding, int most) {
    Map<RuleKey, Refusal> homeless = new LinkedHashMap<>();
    if (!hiding.live) {
      return homeless; // what hides it hides what is below it, too
    }
    for (PlacedRule hidden : shadows.revivedWithout(hiding, most)) {
      int mark = draft.mark();
      draft.nextChange();
      try {
        revive(hidden, placement.controller());
      } catch (PlacementRefusedException nowhere) {
        draft.backTo(mark);
        homeless.put(hidden.key, nowhere.refusal());
      }
    }
    return homeless;
  }

  /** Makes a shadowed rule live, while rules above still match all its packets. */
  private void revive(PlacedRule rule, int wish) throws PlacementRefusedException {
    draft.step(Step.note(rule.key, false, new LogicalChange.Live(rule.key, true)));
    if (!options.controllerServes()) {
      promoteSomewhere(rule, wish);
    } else if (wish < placement.controller()) {
      int mark = draft.mark();
      try {
        moves.promote(rule, wish);
      } catch (PlacementRefusedException stays) {
        draft.backTo(mark);
      }
    }
  }

  /**
   * Moves a rule into the desired layer, or into the first other one that can hold it: one that
   * keeps its reserve, if there is one.
   */
  private void promoteSomewhere(PlacedRule rule, int wish) throws PlacementRefusedException {
    PlacementRefusedException first = null;
    if (wish < placement.controller()) {
      first = whyNotInto(rule, wish, false);
      if (first == null) {
        return;
      }
    }
    for (boolean keepsReserve : new boolean[] {true, false}) {
      for (int layer = 0; layer < placement.controller(); layer++) {
        if (layer == wish) {
          continue;
        }
        PlacementRefusedException next = whyNotInto(rule, layer, keepsReserve);
        if (next == null) {
          return;
        }
        first = Changes.mostTelling(first, next);
      }
    }
    if (first != null) {
      throw first;
    }
  }

  /** Promotes a rule, or undoes the attempt and returns why that is not possible. */
  private @Nullable PlacementRefusedException whyNotInto(
      PlacedRule rule, int layer, boolean keepsReserve) {
    int mark = draft.mark();
    try {
      moves.promote(rule, layer);
      if (keepsReserve) {
        draft.checkReserve(rule.key);
      }
      return null;
    } catch (PlacementRefusedException refused) {
      draft.backTo(mark);
      return refused;
    }
  }

  /** Leaves the rule with its entry at home, and no rule below it with a need for one. */
  private void prepareRemoval(PlacedRule rule) throws PlacementRefusedException {
    for (int tries = 0; tries <= placement.controller(); tries++) {
      uncover(rule);
      moves.prepareRemoval(rule);
      // Rules that moved back may have got a cover of this rule, for the sake of others in it.
      if (rule.entries.stream().allMatch(entry -> entry.layer == rule.home)) {
        return;
      }
    }
    throw draft.blocked(
        Refusal.Reason.CANNOT_COVER, rule.home, rule.key, "rules below it need its covers");
  }

  /**
   * Removes the covers of a rule: moves the rule to the layer in which it is covered, or moves away
   * the rules that need the cover. The rule keeps one terminal entry: where aggregated covers take
   * packets of it, it comes forward only behind their removal.
   */
  private void uncover(PlacedRule rule) throws PlacementRefusedException {
    while (true) {
      int first = rule.home;
      for (Entry entry : rule.entries) {
        first = Math.min(first, entry.layer);
      }
      if (first == rule.home) {
        return;
      }
      if (placement.aggregates.take(rule.key, first)) {
        if (!movesAway(rule, first)) {
          moves.dissolve(rule.key, first);
        }
        continue;
      }
      int mark = draft.mark();
      try {
        moves.promote(rule, first);
      } catch (PlacementRefusedException stays) {
        draft.backTo(mark);
        moveAway(rule, first);
      }
    }
  }

  private boolean movesAway(PlacedRule covered, int layer) {
    int mark = draft.mark();
    try {
      moveAway(covered, layer);
      return true;
    } catch (PlacementRefusedException stay) {
      draft.backTo(mark);
      return false;
    }
  }

  /** Moves the rules below a cover out of its layer, and deletes the covers of its rule there. */
  private void moveAway(PlacedRule covered, int layer) throws PlacementRefusedException {
    for (PlacedRule below : placement.terminalsBelow(covered.key, layer)) {
      if (placement.terminal(below, layer)) {
        moves.moveOut(below, layer, covered.home);
      }
    }
    for (Entry entry : List.copyOf(covered.entries)) {
      if (entry.layer == layer) {
        moves.writer.delete(entry);
      }
    }
  }
}
