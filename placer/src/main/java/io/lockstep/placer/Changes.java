package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Plans changes of single rules: invisible steps, the one visible step, and further invisible
 * steps. See ADR 0008.
 */
final class Changes {
  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;
  private final Moves moves;
  private final ShadowFinder shadows;

  Changes(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
    this.moves = new Moves(draft);
    this.shadows = new ShadowFinder(placement, options.shadowSplits());
  }

  void add(WeightedRule wanted) throws PlacementRefusedException {
    RuleKey key = wanted.rule().key();
    PlacedRule there = placement.rule(key);
    if (there != null) {
      throw conflict(key, there);
    }
    checkConflict(wanted.rule());
    if (shadows.shadowed(key, null)) {
      draft.step(
          Step.note(key, false, new LogicalChange.Put(wanted.rule(), wanted.weight(), false)));
    } else {
      place(wanted);
      dropShadowedBy(placement.known(key));
    }
  }

  private PlacementRefusedException conflict(RuleKey key, PlacedRule other) {
    return draft.blocked(
        Refusal.Reason.CONFLICT,
        placement.controller(),
        key,
        "there is a rule of the same priority, " + other.key + ", for some of the same packets");
  }

  /** Two rules of one priority may share packets only if they treat them alike. */
  private void checkConflict(Rule rule) throws PlacementRefusedException {
    int itself = placement.rule(rule.key()) == null ? 0 : 1;
    if (placement.priorities.count(rule.key().priority()) == itself) {
      return;
    }
    PlacedRule[] other = new PlacedRule[1];
    placement.forEachOverlapping(
        rule.key().match(),
        there -> {
          boolean clash =
              there.priority() == rule.key().priority()
                  && !there.key.equals(rule.key())
                  && !there.treatment.equals(rule.treatment());
          other[0] = clash ? there : other[0];
          return !clash;
        });
    if (other[0] != null) {
      throw conflict(rule.key(), other[0]);
    }
  }

  /** Puts a new live rule into the first layer that can hold it. */
  private void place(WeightedRule wanted) throws PlacementRefusedException {
    RuleKey key = wanted.rule().key();
    PlacementRefusedException first = null;
    int last = placement.controller() - (options.controllerServes() ? 0 : 1);
    for (int layer = 0; layer <= last; layer++) {
      boolean moreWays = firstBelow(key, layer) < layer;
      for (boolean viaEarlier : moreWays ? new boolean[] {true, false} : new boolean[] {false}) {
        int mark = draft.mark();
        try {
          place(wanted, layer, viaEarlier);
          draft.checkReserve(key);
          return;
        } catch (PlacementRefusedException next) {
          draft.backTo(mark);
          first = mostTelling(first, next);
        }
      }
    }
    // The plan uses the reserve rather than refuse the rule; the next improvement restores it.
    int mark = draft.mark();
    try {
      place(wanted, last, true);
    } catch (PlacementRefusedException refused) {
      draft.backTo(mark);
      throw first == null ? refused : first;
    }
  }

  /** A lack of room explains more than a layer that never holds such rules. */
  private static PlacementRefusedException mostTelling(
      @Nullable PlacementRefusedException first, PlacementRefusedException next) {
    if (first == null
        || (first.refusal().reason() == Refusal.Reason.CANNOT_HOLD
            && next.refusal().reason() != Refusal.Reason.CANNOT_HOLD)) {
      return next;
    }
    return first;
  }

  /**
   * Puts a new rule into a layer.
   *
   * @param viaEarlier what to do if rules below it are in earlier layers: true puts it into the
   *     first of these layers and then demotes it, false demotes those rules
   */
  private void place(WeightedRule wanted, int layer, boolean viaEarlier)
      throws PlacementRefusedException {
    RuleKey key = wanted.rule().key();
    int first = firstBelow(key, layer);
    if (first < layer && viaEarlier) {
      visiblyInto(wanted, first);
      moves.demote(placement.known(key), layer);
      return;
    }
    for (int before = first; before < layer; before++) {
      for (PlacedRule below : placement.terminalsBelow(key, before)) {
        if (below.home <= before) {
          moves.lower(below, layer);
        }
      }
    }
    visiblyInto(wanted, layer);
  }

  /** The first layer before {@code layer} with a rule that the key wins over, or {@code layer}. */
  private int firstBelow(RuleKey key, int layer) {
    int first = 0;
    while (first < layer && placement.terminalsBelow(key, first).isEmpty()) {
      first++;
    }
    return first;
  }

  /** Plans the visible step, if no rule below is in an earlier layer. */
  private void visiblyInto(WeightedRule wanted, int layer) throws PlacementRefusedException {
    Rule rule = wanted.rule();
    LogicalChange put = new LogicalChange.Put(rule, wanted.weight(), true);
    if (layer == placement.controller()) {
      draft.step(Step.note(rule.key(), true, put));
      return;
    }
    int before = draft.flowMods();
    moves.coverAbove(rule.key(), placement.rewrites(rule.treatment()), layer);
    if (draft.flowMods() - before > options.coversForNewRule()) {
      throw draft.blocked(
          Refusal.Reason.TOO_MANY_STEPS,
          layer,
          rule.key(),
          "it needs more than " + options.coversForNewRule() + " covers there");
    }
    if (placement.layers.get(layer).entry(rule.key()) != null) {
      throw draft.blocked(
          Refusal.Reason.CANNOT_HOLD, layer, rule.key(), "a cover of this match is there");
    }
    draft.step(new Step(Step.Kind.ADD, layer, rule.key(), rule.key(), rule.treatment(), true, put));
  }

  /** Deletes the entries of rules that a new one shadows, within the bound on steps. */
  private void dropShadowedBy(PlacedRule added) {
    for (PlacedRule rule : shadows.shadowedBy(added)) {
      int mark = draft.mark();
      try {
        draft.step(Step.note(rule.key, false, new LogicalChange.Live(rule.key, false)));
        moves.clear(rule);
      } catch (PlacementRefusedException enough) {
        draft.backTo(mark); // it keeps its entries, which is harmless
      }
    }
  }

  void remove(RuleKey key) throws PlacementRefusedException {
    remove(existing(key), null);
  }

  private PlacedRule existing(RuleKey key) throws PlacementRefusedException {
    PlacedRule rule = placement.rule(key);
    if (rule == null) {
      throw draft.blocked(
          Refusal.Reason.UNKNOWN_RULE, placement.controller(), key, "there is no such rule");
    }
    return rule;
  }

  /**
   * Removes a rule.
   *
   * @param heir a shadowed rule that replaces it, in its layer if possible
   */
  private void remove(PlacedRule rule, @Nullable PlacedRule heir) throws PlacementRefusedException {
    LogicalChange drop = new LogicalChange.Drop(rule.key);
    if (!rule.live) {
      moves.clear(rule);
      draft.step(Step.note(rule.key, false, drop));
      return;
    }
    moves.clearBehind(rule, rule.home);
    for (PlacedRule revived : shadows.revivedWithout(rule)) {
      revive(revived, revived.equals(heir) ? rule.home : placement.controller());
    }
    uncover(rule);
    if (rule.home == placement.controller()) {
      draft.step(Step.note(rule.key, true, drop));
      return;
    }
    int home = rule.home;
    draft.step(new Step(Step.Kind.DELETE, home, rule.key, rule.key, null, true, drop));
    moves.pruneAbove(rule.key, home);
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
    for (int layer = 0; layer < rule.home; layer++) {
      for (PlacedRule below : placement.terminalsBelow(rule.key, layer)) {
        if (below.home <= layer && !placement.satisfied(rule, below.key, layer)) {
          coverOrLower(rule, below, layer);
        }
      }
    }
  }

  /** Moves a rule into the desired layer, or into the first other one that can hold it. */
  private void promoteSomewhere(PlacedRule rule, int wish) throws PlacementRefusedException {
    PlacementRefusedException first = null;
    for (int i = -1; i < placement.controller(); i++) {
      int layer = i < 0 ? wish : i;
      if (layer < placement.controller() && (i < 0 || layer != wish)) {
        int mark = draft.mark();
        try {
          moves.promote(rule, layer);
          return;
        } catch (PlacementRefusedException next) {
          draft.backTo(mark);
          first = mostTelling(first, next);
        }
      }
    }
    if (first != null) {
      throw first;
    }
  }

  private void coverOrLower(PlacedRule rule, PlacedRule below, int layer)
      throws PlacementRefusedException {
    RuleKey cover = placement.coverKey(rule.key, below.key, layer);
    int mark = draft.mark();
    try {
      if (cover != null) {
        moves.cover(rule, cover, layer);
        return;
      }
    } catch (PlacementRefusedException full) {
      draft.backTo(mark);
    }
    moves.lower(below, rule.home);
  }

  /**
   * Removes the covers of a rule: moves the rule to the layer in which it is covered, or moves away
   * the rules that need the cover.
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
      int mark = draft.mark();
      try {
        moves.promote(rule, first);
      } catch (PlacementRefusedException stays) {
        draft.backTo(mark);
        for (PlacedRule below : placement.terminalsBelow(rule.key, first)) {
          if (below.home <= first) {
            moves.lower(below, rule.home);
          }
        }
        for (Entry entry : List.copyOf(rule.entries)) {
          if (entry.layer == first) {
            moves.delete(entry);
          }
        }
      }
    }
  }

  void treat(RuleKey key, Bytes treatment) throws PlacementRefusedException {
    PlacedRule rule = existing(key);
    if (treatment.equals(rule.treatment)) {
      return;
    }
    Rule changed = new Rule(key, treatment);
    checkConflict(changed);
    moves.clearBehind(rule, rule.home);
    int sets = placement.rewrites(treatment);
    if (rule.home < placement.controller() && !placement.holds(rule.home, key, sets)) {
      moveToHold(rule, sets);
    }
    LogicalChange put = new LogicalChange.Put(changed, rule.weight, rule.live);
    if (rule.home == placement.controller()) {
      draft.step(Step.note(key, rule.live, put));
    } else {
      draft.step(new Step(Step.Kind.MODIFY, rule.home, key, key, treatment, true, put));
    }
  }

  /** Moves a rule as it is to a layer that can hold it when it sets other fields, too. */
  private void moveToHold(PlacedRule rule, int sets) throws PlacementRefusedException {
    PlacementRefusedException first = moves.cannotHold(rule.key, sets, rule.home);
    for (int layer = 0; layer < placement.controller(); layer++) {
      if (layer != rule.home && placement.holds(layer, rule.key, sets)) {
        int mark = draft.mark();
        try {
          if (layer < rule.home) {
            moves.promote(rule, layer);
          } else {
            moves.demote(rule, layer);
          }
          return;
        } catch (PlacementRefusedException next) {
          draft.backTo(mark);
          first = mostTelling(first, next);
        }
      }
    }
    throw first;
  }

  /**
   * Two changes of which one is invisible, since of two rules with one match the lower is shadowed.
   */
  void reprioritize(RuleKey key, int priority) throws PlacementRefusedException {
    PlacedRule rule = existing(key);
    if (priority == key.priority()) {
      return;
    }
    RuleKey newKey = new RuleKey(priority, key.match());
    add(new WeightedRule(new Rule(newKey, rule.treatment), rule.weight));
    if (priority > key.priority() && rule.live) {
      draft.step(Step.note(key, false, new LogicalChange.Live(key, false)));
    }
    remove(rule, placement.known(newKey));
  }
}
