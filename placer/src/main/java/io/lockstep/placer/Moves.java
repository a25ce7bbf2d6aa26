package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;
import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves of rules between layers, in invisible steps: see the table of moves in ADR 0008. An
 * impossible move leaves its steps in the draft, and the caller undoes them.
 */
final class Moves {
  /** A terminal entry that needs more further covers than this moves back instead. */
  private static final int MOST_COVERS = 8;

  private final Draft draft;
  private final Placement placement;

  Moves(Draft draft) {
    this.draft = draft;
    this.placement = draft.placement;
  }

  /** Moves a rule forward to a layer before its home. */
  void promote(PlacedRule rule, int layer) throws PlacementRefusedException {
    coverAbove(rule.key, rule.rewrites, layer);
    putTerminal(rule, layer);
    clearBehind(rule, layer);
  }

  /**
   * The same, but keeps the rule's entry in a layer without bound. No packet reaches it there, and
   * it saves two flow-mods when the rule moves back. What enters or leaves a layer treats it as if
   * packets did.
   */
  void bringForward(PlacedRule rule, int layer) throws PlacementRefusedException {
    coverAbove(rule.key, rule.rewrites, layer);
    putTerminal(rule, layer);
    clearBehind(rule, layer, false);
  }

  /** Deletes the entries of a rule behind its home, but for a copy as {@link #bringForward} has. */
  void tidyBehind(PlacedRule rule) throws PlacementRefusedException {
    clearBehind(rule, rule.home, false);
  }

  /** Deletes the entries of a rule behind its home, which none of its packets reaches. */
  void clearBehind(PlacedRule rule, int layer) throws PlacementRefusedException {
    clearBehind(rule, layer, true);
  }

  private void clearBehind(PlacedRule rule, int layer, boolean copies)
      throws PlacementRefusedException {
    List<Entry> behind = new ArrayList<>(rule.entries);
    // A switch that divides its table by itself may have covers of parts in the home, too.
    behind.removeIf(
        entry ->
            entry.layer < layer
                || (entry.layer == layer && entry.terminal())
                || (!copies && placement.isCopy(entry)));
    behind.sort(Comparator.comparingInt(entry -> entry.layer));
    for (Entry entry : behind) {
      remove(entry);
    }
  }

  /**
   * Deletes an entry of a rule with no packets of its own in this layer. Packets of rules above it
   * may meet a cover instead of one of theirs; they get another cover first.
   */
  private void remove(Entry entry) throws PlacementRefusedException {
    boolean moved = !entry.terminal();
    while (moved) { // a rule that moved back may expose others
      moved = false;
      List<PlacedRule> all = placement.terminalsBelow(entry.key, entry.layer);
      Surroundings around = new Surroundings(placement, entry.match(), all, entry.layer);
      for (PlacedRule below : all) {
        TernaryMatch part = Dependencies.part(entry.match(), below.match());
        moved |= secureOrLower(below, part, entry.layer, entry.layer + 1, null, entry, around);
      }
    }
    if (placement.layers.get(entry.layer).entry(entry.key) == entry) {
      delete(entry); // unless it was a cover that nothing needed after a rule below it had moved
    }
  }

  /**
   * Gives the rules below a new place for the time when a rule is removed: rules that it hides from
   * them will win packets, and its own entry will not be there. It has no entry but the one in its
   * home. In layers before, its packets meet other entries already, whoever wins them then.
   */
  void prepareRemoval(PlacedRule gone) throws PlacementRefusedException {
    for (int layer = gone.home; layer < placement.controller(); layer++) {
      boolean moved = placement.anyHiddenBehind(gone, layer);
      while (moved) { // a rule that moved back may expose others
        moved = false;
        List<PlacedRule> all = placement.terminalsBelow(gone.key, layer);
        Surroundings around = new Surroundings(placement, gone.match(), all, layer);
        for (PlacedRule below : all) {
          TernaryMatch part = Dependencies.part(gone.match(), below.match());
          moved |= secureOrLower(below, part, layer, layer + 1, gone, null, around);
        }
      }
    }
  }

  /** Covers what is above a terminal entry, or else moves that entry back and returns true. */
  private boolean secureOrLower(
      PlacedRule below,
      TernaryMatch part,
      int layer,
      int target,
      @Nullable PlacedRule gone,
      @Nullable Entry without,
      @Nullable Surroundings around)
      throws PlacementRefusedException {
    if (!placement.terminal(below, layer)) {
      return false; // moved meanwhile
    }
    int mark = draft.mark();
    try {
      if (!secure(below, part, layer, gone, without, around)) {
        return false;
      }
    } catch (PlacementRefusedException impossible) {
      // moves back, as where the entry that must go would have to stay
    }
    draft.backTo(mark);
    moveOut(below, layer, target);
    return true;
  }

  /** Removes a terminal entry from a layer, and moves the rule back if that is its home. */
  void moveOut(PlacedRule rule, int layer, int target) throws PlacementRefusedException {
    if (rule.home < layer) {
      delete(known(rule.key, layer));
    } else {
      lower(rule, target);
    }
  }

  /**
   * Covers rules above a terminal entry as far as they win packets of a part, and meet no entry.
   *
   * @param gone a rule to treat as if it and its entries did not exist
   * @param without an entry to treat as if it did not exist
   * @return whether the entry {@code without} must stay as a cover
   */
  private boolean secure(
      PlacedRule below,
      TernaryMatch part,
      int layer,
      @Nullable PlacedRule gone,
      @Nullable Entry without,
      @Nullable Surroundings around)
      throws PlacementRefusedException {
    boolean stays = false;
    List<PlacedRule> missing =
        Dependencies.of(placement, below.key, part, layer, gone, without, around)
            .missing(placement, below.key, layer, MOST_COVERS);
    if (missing.size() > MOST_COVERS) {
      throw draft.blocked(
          Refusal.Reason.TOO_MANY_STEPS,
          layer,
          below.key,
          "it needs more than " + MOST_COVERS + " further covers there");
    }
    for (PlacedRule above : missing) {
      RuleKey key = placement.coverKey(above.key, below.key, layer);
      if (key == null) {
        throw cannotCover(above.key, below.key, layer);
      }
      if (without != null && key.equals(without.key)) {
        stays = true;
      } else {
        cover(above, key, layer);
      }
    }
    return stays;
  }

  /** Moves a rule back to a layer behind its home, or to the controller's. */
  void demote(PlacedRule rule, int layer) throws PlacementRefusedException {
    int before = rule.leavingFor;
    // So that its new covers count as needed while its entry is still in the earlier layer.
    rule.leavingFor = layer;
    try {
      moveBack(rule, layer);
    } finally {
      rule.leavingFor = before;
    }
  }

  private void moveBack(PlacedRule rule, int layer) throws PlacementRefusedException {
    int from = rule.home;
    if (layer == placement.controller() && !draft.controllerServes) {
      throw draft.blocked(
          Refusal.Reason.NO_ROOM,
          from,
          rule.key,
          "no other layer takes it, nor may the controller");
    }
    for (Entry entry : List.copyOf(rule.entries)) {
      if (entry.layer > from && !(entry.layer == layer && placement.isCopy(entry))) {
        remove(entry);
      }
    }
    if (layer < placement.controller()) {
      coverAbove(rule.key, rule.rewrites, layer);
      putTerminal(rule, layer);
    }
    for (int between = layer - 1; between > from; between--) {
      coverForBelow(rule, between, layer);
    }
    if (coverForBelow(rule, from, layer)) {
      modify(rule, from, null);
      pruneAbove(rule.key, from);
      Entry cover = known(rule.key, from);
      if (!placement.needed(cover)) {
        delete(cover); // the rule that needed it was moved back for another reason
      }
    } else {
      delete(known(rule.key, from));
    }
  }

  /** Moves a rule back to the first layer from {@code layer} on that can hold it. */
  void lower(PlacedRule rule, int layer) throws PlacementRefusedException {
    for (int to = layer; to < placement.controller(); to++) {
      if (placement.holds(to, rule)) {
        int mark = draft.mark();
        try {
          demote(rule, to);
          return;
        } catch (PlacementRefusedException next) {
          draft.backTo(mark);
        }
      }
    }
    demote(rule, placement.controller());
  }

  /**
   * Prepares the rules of a layer that are below this rule for its departure: covers this rule for
   * each of them, or moves it back, too.
   *
   * @param layer the layer of those rules
   * @param target the layer to which this rule goes
   * @return whether one of them needs a cover with the match of the whole rule
   */
  private boolean coverForBelow(PlacedRule rule, int layer, int target)
      throws PlacementRefusedException {
    boolean needed = false;
    boolean moved = true;
    while (moved) { // a rule that moved back may expose others
      moved = false;
      List<PlacedRule> all = placement.terminalsBelow(rule.key, layer);
      Surroundings around = new Surroundings(placement, rule.match(), all, layer);
      for (PlacedRule below : all) {
        if (!placement.terminal(below, layer)) {
          continue; // moved meanwhile
        }
        // If the rule itself is in the layer, its entry goes or becomes a cover; see demote.
        Entry own = layer == rule.home && !needed ? known(rule.key, layer) : null;
        TernaryMatch part = Dependencies.part(rule.match(), below.match());
        int mark = draft.mark();
        try {
          needed |= secure(below, part, layer, null, own, around);
        } catch (PlacementRefusedException back) {
          draft.backTo(mark);
          moveOut(below, layer, target);
          moved = true;
        }
      }
    }
    return needed;
  }

  private PlacementRefusedException cannotCover(RuleKey above, RuleKey below, int layer) {
    return draft.blocked(
        Refusal.Reason.CANNOT_COVER,
        layer,
        below,
        above + " is above it, elsewhere, and cannot be covered in this layer");
  }

  /**
   * Covers all rules that are above a key and served later, so that a rule of this key, which sets
   * such fields, can enter a layer.
   */
  void coverAbove(RuleKey key, int sets, int layer) throws PlacementRefusedException {
    if (!placement.holds(layer, key, sets)) {
      throw cannotHold(key, sets, layer);
    }
    List<PlacedRule> missing =
        Dependencies.of(placement, key, layer)
            .missing(placement, key, layer, 1L + draft.flowModsLeft());
    for (PlacedRule above : missing) {
      RuleKey cover = placement.coverKey(above.key, key, layer);
      if (cover == null) {
        throw cannotCover(above.key, key, layer);
      }
      cover(above, cover, layer);
    }
  }

  PlacementRefusedException cannotHold(RuleKey key, int sets, int layer) {
    return draft.blocked(
        Refusal.Reason.CANNOT_HOLD,
        layer,
        key,
        placement.layers.get(layer).refused(key, false)
            ? "the switch refused it"
            : "the layer " + placement.profile.whyNot(layer, key.match(), sets));
  }

  /** Adds a cover unless it exists. */
  private void cover(PlacedRule rule, RuleKey key, int layer) throws PlacementRefusedException {
    Entry there = placement.layers.get(layer).entry(key);
    if (there == null) {
      draft.step(new Step(Step.Kind.ADD, layer, key, rule.key, null, false, null));
    } else if (!there.owner.equals(rule)) {
      throw taken(key, layer);
    }
  }

  private PlacementRefusedException taken(RuleKey key, int layer) {
    return draft.blocked(
        Refusal.Reason.CANNOT_COVER, layer, key, "an entry of this priority and match is there");
  }

  /** Writes a rule into a layer that has what the rule depends on. */
  private void putTerminal(PlacedRule rule, int layer) throws PlacementRefusedException {
    Entry there = placement.layers.get(layer).entry(rule.key);
    if (there == null) {
      draft.step(new Step(Step.Kind.ADD, layer, rule.key, rule.key, rule.treatment, false, null));
    } else if (!there.owner.equals(rule)) {
      throw taken(rule.key, layer);
    } else if (!Objects.equals(there.treatment, rule.treatment)) {
      modify(rule, layer, rule.treatment);
    }
  }

  private void modify(PlacedRule rule, int layer, @Nullable Bytes treatment)
      throws PlacementRefusedException {
    draft.step(new Step(Step.Kind.MODIFY, layer, rule.key, rule.key, treatment, false, null));
  }

  private Entry known(RuleKey key, int layer) {
    Entry entry = placement.layers.get(layer).entry(key);
    if (entry == null) {
      throw new IllegalStateException("no entry of " + key + " in layer " + layer);
    }
    return entry;
  }

  /** Deletes an entry that no packet reaches, or a cover that no rule needs. */
  void delete(Entry entry) throws PlacementRefusedException {
    boolean terminal = entry.terminal();
    draft.step(
        new Step(Step.Kind.DELETE, entry.layer, entry.key, entry.owner.key, null, false, null));
    if (terminal) {
      pruneAbove(entry.key, entry.layer);
    }
  }

  /** Deletes the covers above a key that no rule needs any more. */
  void pruneAbove(RuleKey key, int layer) throws PlacementRefusedException {
    List<Entry> idle = new ArrayList<>();
    placement
        .layers
        .get(layer)
        .index
        .forEachOverlapping(
            key.match(),
            entry -> {
              if (!entry.terminal()
                  && entry.key.priority() > key.priority()
                  && !placement.needed(entry)) {
                idle.add(entry);
              }
              return true;
            });
    for (Entry entry : idle) {
      if (placement.needed(entry)) {
        continue; // since another one that stood for it was deleted
      }
      delete(entry);
    }
  }

  /** Deletes all entries of a rule that cannot win a packet. */
  void clear(PlacedRule rule) throws PlacementRefusedException {
    clearBehind(rule, -1);
  }
}
