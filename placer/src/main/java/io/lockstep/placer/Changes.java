package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Plans changes of single rules: invisible steps, the one visible step, and further invisible
 * steps. See ADR 0008.
 */
final class Changes {
  /** How often units are freed for a new rule without a place. */
  private static final int MOST_COMPACTIONS = 3;

  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;
  private final Moves moves;
  private final Compaction compaction;
  private final ShadowFinder shadows;
  private final Removals removals;

  Changes(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
    this.moves = new Moves(draft);
    this.compaction = new Compaction(draft, moves);
    this.shadows = new ShadowFinder(placement, options.shadowSplits());
    this.removals = new Removals(draft, options);
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
      if (compaction.due()) {
        compaction.free(placement.known(key).arrival);
      }
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

  /**
   * Puts a new live rule into the first layer that can hold it and keeps its reserve. Where none
   * does, the rule uses the reserve of the last layer, which the next improvement restores, or
   * others make room for it. Where the switch divides its table by itself no rule can move, so the
   * reserve is room like any other. The placer refuses a rule only where no way leads to a place.
   */
  private void place(WeightedRule wanted) throws PlacementRefusedException {
    int layers = placement.layers.size();
    PlacementRefusedException first = whyNotAnywhere(wanted, layers);
    if (first == null) {
      return;
    }
    boolean moves = placement.profile.locationsVisible();
    PlacementRefusedException next = whyNotAnywhere(wanted, moves ? layers - 1 : 0);
    boolean placed = next == null;
    for (int i = 0; i < MOST_COMPACTIONS && !placed && moves; i++) {
      placed = makesRoom(wanted, layers - 1);
      if (!placed && !compaction.free(wanted.rule().key().priority())) {
        break;
      }
    }
    if (!placed && !placesWithoutAggregates(wanted, layers - 1)) {
      throw first;
    }
  }

  /**
   * Places a new rule in layers whose aggregated covers would take packets of it. One step cannot
   * bring it into such a layer and behind it, so these covers go first.
   */
  private boolean placesWithoutAggregates(WeightedRule wanted, int reserves) {
    int mark = draft.mark();
    RuleKey key = wanted.rule().key();
    try {
      for (int layer = 0; layer < placement.controller(); layer++) {
        moves.dissolve(key, layer);
      }
      if (draft.mark() > mark && whyNotAnywhere(wanted, reserves) == null) {
        return true;
      }
    } catch (PlacementRefusedException stay) {
      // the covers are needed
    }
    draft.backTo(mark);
    return false;
  }

  /**
   * Places a new rule, or returns why no layer takes it.
   *
   * @param reserves the layers before this one must keep their reserve
   */
  private @Nullable PlacementRefusedException whyNotAnywhere(WeightedRule wanted, int reserves) {
    PlacementRefusedException first = null;
    for (int layer = 0; layer <= lastLayer(); layer++) {
      for (boolean viaEarlier : waysInto(wanted.rule().key(), layer)) {
        int mark = draft.mark();
        try {
          place(wanted, layer, viaEarlier);
          draft.checkReserve(wanted.rule().key(), reserves);
          return null;
        } catch (PlacementRefusedException next) {
          draft.backTo(mark);
          first = mostTelling(first, next);
        }
      }
    }
    return first;
  }

  private int lastLayer() {
    return placement.controller() - (options.controllerServes() ? 0 : 1);
  }

  private boolean[] waysInto(RuleKey key, int layer) {
    return firstBelow(key, layer) < layer ? new boolean[] {true, false} : new boolean[] {false};
  }

  /**
   * Places a new rule in room that others make for it; false if that is not possible either.
   *
   * @param reserves as above
   */
  private boolean makesRoom(WeightedRule wanted, int reserves) {
    RuleKey key = wanted.rule().key();
    RoomMaker maker = new RoomMaker(draft, moves);
    for (int layer = 0; layer <= lastLayer(); layer++) {
      for (boolean viaEarlier : waysInto(key, layer)) {
        int mark = draft.mark();
        maker.restart();
        boolean again = true;
        while (again) {
          int before = draft.mark();
          try {
            place(wanted, layer, viaEarlier);
            draft.checkReserve(key, reserves);
            return true;
          } catch (PlacementRefusedException next) {
            draft.backTo(before);
            again = maker.free(next.refusal());
          }
        }
        draft.backTo(mark);
      }
    }
    return false;
  }

  /** A lack of room explains more than a layer that never holds such rules. */
  static PlacementRefusedException mostTelling(
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
    // A rule that moves back may expose others: also in an earlier layer, if it was a copy there.
    for (int before = first; before < layer; before = firstBelow(key, layer)) {
      for (PlacedRule below : placement.terminalsBelow(key, before)) {
        if (placement.terminal(below, before)
            && Dependencies.exposed(placement, key, below, before)) {
          moves.moveOut(below, before, layer);
        }
      }
    }
    visiblyInto(wanted, layer);
  }

  /**
   * The first layer before {@code layer} with a rule that would serve packets of the key, or {@code
   * layer}.
   */
  private int firstBelow(RuleKey key, int layer) {
    int first = 0;
    while (first < layer && !exposes(key, first)) {
      first++;
    }
    return first;
  }

  private boolean exposes(RuleKey key, int layer) {
    for (PlacedRule below : placement.terminalsBelow(key, layer)) {
      if (Dependencies.exposed(placement, key, below, layer)) {
        return true;
      }
    }
    return false;
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
    moves.writer.coverAbove(rule.key(), placement.rewrites(rule.treatment()), layer);
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
    removals.remove(existing(key), null);
  }

  /** As {@link Removals#prepare}. */
  Map<RuleKey, Refusal> prepare(RuleKey leaving, int most) throws PlacementRefusedException {
    return removals.prepare(existing(leaving), most);
  }

  private PlacedRule existing(RuleKey key) throws PlacementRefusedException {
    PlacedRule rule = placement.rule(key);
    if (rule == null) {
      throw draft.blocked(
          Refusal.Reason.UNKNOWN_RULE, placement.controller(), key, "there is no such rule");
    }
    return rule;
  }

  void treat(RuleKey key, Bytes treatment) throws PlacementRefusedException {
    PlacedRule rule = existing(key);
    if (treatment.equals(rule.treatment)) {
      return;
    }
    Rule changed = new Rule(key, treatment);
    checkConflict(changed);
    int before = rule.home;
    moves.leaveOneEntry(rule);
    int sets = placement.rewrites(treatment);
    if (rule.home < placement.controller() && !placement.holds(rule.home, key, sets)) {
      moveToHold(rule, sets);
    }
    LogicalChange put = new LogicalChange.Put(changed, rule.weight, rule.live);
    if (rule.home == placement.controller()) {
      draft.step(Step.note(key, rule.live, put));
    } else {
      draft.step(new Step(Step.Kind.MODIFY, rule.home, key, key, treatment, true, put));
      comeBack(rule, before);
    }
  }

  /** Brings a rule forward again that moved back only to be changed by one step. */
  private void comeBack(PlacedRule rule, int layer) {
    int mark = draft.mark();
    try {
      if (rule.home > layer && placement.aggregates.take(rule.key, layer)) {
        moves.bringForward(rule, layer);
      }
    } catch (PlacementRefusedException stays) {
      draft.backTo(mark);
    }
  }

  /** Moves a rule as it is to a layer that can hold it when it sets other fields, too. */
  private void moveToHold(PlacedRule rule, int sets) throws PlacementRefusedException {
    PlacementRefusedException first = moves.writer.cannotHold(rule.key, sets, rule.home);
    for (int layer = 0; layer < placement.controller(); layer++) {
      if (layer != rule.home && placement.holds(layer, rule.key, sets)) {
        int mark = draft.mark();
        try {
          moves.dissolve(rule.key, layer); // else the rule would need two entries
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
    removals.remove(rule, placement.known(newKey));
  }
}
