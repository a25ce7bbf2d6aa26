package io.lockstep.placer;

import io.lockstep.placer.space.TernaryMatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
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

  /** Writes the entries; also for those who bring rules in. */
  final LayerWriter writer;

  Moves(Draft draft) {
    this.draft = draft;
    this.placement = draft.placement;
    this.writer = new LayerWriter(draft);
  }

  /** Moves a rule forward to a layer before its home. */
  void promote(PlacedRule rule, int layer) throws PlacementRefusedException {
    writer.coverAbove(rule.key, rule.rewrites, layer);
    writer.putTerminal(rule, layer);
    clearBehind(rule, layer);
  }

  /**
   * The same, but keeps the rule's entry in a layer without bound. No packet reaches it there, and
   * it saves two flow-mods when the rule moves back. What enters or leaves a layer treats it as if
   * packets did.
   */
  void bringForward(PlacedRule rule, int layer) throws PlacementRefusedException {
    writer.coverAbove(rule.key, rule.rewrites, layer);
    writer.putTerminal(rule, layer);
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
      if (!placement.aggregates.needCopy(entry)) {
        remove(entry);
      }
    }
  }

  /**
   * Leaves a rule with one terminal entry, so that one step on it changes what happens to all its
   * packets. It moves behind the aggregated covers that take packets of it, or else these go.
   */
  void leaveOneEntry(PlacedRule rule) throws PlacementRefusedException {
    while (placement.aggregates.take(rule.key, rule.home)) {
      int mark = draft.mark();
      try {
        demote(rule, rule.home + 1);
      } catch (PlacementRefusedException stays) {
        draft.backTo(mark);
        dissolve(rule.key, rule.home);
      }
    }
    clearBehind(rule, rule.home);
  }

  /** Does without the aggregated covers of a layer that take packets of a key. */
  void dissolve(RuleKey key, int layer) throws PlacementRefusedException {
    for (Entry entry : placement.aggregates.taking(key, layer)) {
      if (placement.layers.get(layer).has(entry)) {
        remove(entry);
      }
    }
  }

  /**
   * Deletes an entry of a rule with no packets of its own in this layer. Packets of rules above it
   * may meet a cover instead of one of theirs; they get another cover first. So do packets of rules
   * of its own priority that meet a terminal one.
   */
  private void remove(Entry entry) throws PlacementRefusedException {
    boolean moved = !entry.terminal() || placement.anyEqualBehind(entry);
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
      // Unless it was a cover that nothing needed after a rule below it had moved.
      writer.delete(entry);
    }
  }

  /**
   * Gives the rules below a new place for the time when a rule is removed: rules that it hides from
   * them will win packets, and its own entry will not be there. It has no entry but the one in its
   * home. In layers before, its packets meet other entries already, whoever wins them then.
   */
  void prepareRemoval(PlacedRule gone) throws PlacementRefusedException {
    boolean moved = true;
    while (moved) {
      moved = false;
      boolean copies = placement.aggregates.any();
      for (int layer = gone.home; layer < placement.controller(); layer++) {
        moved |= prepareRemoval(gone, layer);
      }
      // A copy that moves back takes its rule out of a layer that was prepared before, where a
      // cover goes that only the departure makes needed.
      moved &= copies;
    }
  }

  /** The same in one layer; whether a rule moved back. */
  private boolean prepareRemoval(PlacedRule gone, int layer) throws PlacementRefusedException {
    boolean any = false;
    boolean moved = placement.anyHiddenBehind(gone, layer);
    while (moved) { // a rule that moved back may expose others
      moved = false;
      List<PlacedRule> all = placement.terminalsBelow(gone.key, layer);
      Surroundings around = new Surroundings(placement, gone.match(), all, layer);
      for (PlacedRule below : all) {
        TernaryMatch part = Dependencies.part(gone.match(), below.match());
        moved |= secureOrLower(below, part, layer, layer + 1, gone, null, around);
      }
      any |= moved;
    }
    return any;
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
    if (placement.aggregates.needCopy(writer.known(rule.key, layer))) {
      moveOut(rule, layer - 1, target);
    }
    if (!placement.terminal(rule, layer)) {
      return; // moved with its entry before
    }
    if (rule.home < layer) {
      remove(writer.known(rule.key, layer));
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
        throw writer.cannotCover(above.key, below.key, layer);
      }
      if (without != null && key.equals(without.key)) {
        stays = true;
      } else {
        writer.cover(above, key, layer);
      }
    }
    return stays;
  }

  /** Moves a rule back to a layer behind its home, or to the controller's. */
  void demote(PlacedRule rule, int layer) throws PlacementRefusedException {
    while (rule.home + 1 < layer && placement.aggregates.take(rule.key, rule.home)) {
      demote(rule, rule.home + 1); // first to its copy, which may go only then
    }
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
    List<Entry> behind = new ArrayList<>(rule.entries);
    behind.sort(Comparator.comparingInt(entry -> entry.layer)); // a copy goes behind its rule
    for (Entry entry : behind) {
      if (entry.layer > from
          && !(entry.layer == layer && placement.isCopy(entry))
          && !placement.aggregates.needCopy(entry)) {
        remove(entry);
      }
    }
    if (layer < placement.controller() && !placement.terminal(rule, layer)) {
      writer.coverAbove(rule.key, rule.rewrites, layer);
      writer.putTerminal(rule, layer);
    }
    for (int between = layer - 1; between > from; between--) {
      coverForBelow(rule, between, layer);
    }
    if (coverForBelow(rule, from, layer)) {
      writer.modify(rule, from, null);
      writer.pruneAbove(rule.key, from);
      Entry cover = writer.known(rule.key, from);
      if (!placement.needed(cover)) {
        writer.delete(cover); // the rule that needed it was moved back for another reason
      }
    } else {
      writer.delete(writer.known(rule.key, from));
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
        Entry own = layer == rule.home && !needed ? writer.known(rule.key, layer) : null;
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

  /** Deletes all entries of a rule that cannot win a packet. */
  void clear(PlacedRule rule) throws PlacementRefusedException {
    clearBehind(rule, -1);
  }
}
