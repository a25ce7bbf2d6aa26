package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Moves of rules between layers, in invisible steps: see the table of moves in ADR 0008. An
 * impossible move leaves its steps in the draft, and the caller undoes them.
 */
final class Moves {
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

  /** Deletes the entries of a rule behind its home, which no packet reaches. */
  void clearBehind(PlacedRule rule, int layer) throws PlacementRefusedException {
    for (Entry entry : List.copyOf(rule.entries)) {
      if (entry.layer > layer) {
        delete(entry);
      }
    }
  }

  /** Moves a rule back to a layer behind its home, or to the controller's. */
  void demote(PlacedRule rule, int layer) throws PlacementRefusedException {
    int before = rule.leavingFor;
    rule.leavingFor =
        layer; // so that its new covers count as needed while its entry is still in the earlier
    // layer
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
    clearBehind(rule, from);
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
    for (PlacedRule below : placement.terminalsBelow(rule.key, layer)) {
      if (below.home > layer) {
        continue; // moved meanwhile
      }
      RuleKey key = placement.coverKey(rule.key, below.key, layer);
      int mark = draft.mark();
      try {
        if (key == null) {
          throw cannotCover(rule.key, below.key, layer);
        }
        // If the rule itself is in the layer, its entry becomes the cover; see demote.
        if (layer != rule.home || !key.equals(rule.key)) {
          cover(rule, key, layer);
        }
        needed = true;
      } catch (PlacementRefusedException back) {
        draft.backTo(mark);
        lower(below, target);
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
   * Covers all rules that are above a key and served later, so that a rule of this key can enter a
   * layer.
   *
   * @param sets fields that the rule sets, a bit each
   */
  void coverAbove(RuleKey key, int sets, int layer) throws PlacementRefusedException {
    if (!placement.holds(layer, key, sets)) {
      throw cannotHold(key, sets, layer);
    }
    // One more than allowed is enough to know that there are too many.
    coverAll(placement.unsatisfiedAbove(key, layer, 1L + draft.flowModsLeft()), key, layer);
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

  /** Covers those of the given rules above a key that are served later than in a layer. */
  void coverAll(List<PlacedRule> rules, RuleKey key, int layer) throws PlacementRefusedException {
    for (PlacedRule above : rules) {
      if (above.home > layer) {
        RuleKey cover = placement.coverKey(above.key, key, layer);
        if (cover == null) {
          throw cannotCover(above.key, key, layer);
        }
        cover(above, cover, layer);
      }
    }
  }

  /** Adds a cover unless it exists. */
  void cover(PlacedRule rule, RuleKey key, int layer) throws PlacementRefusedException {
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

  /** Writes a rule into a layer in which all rules above it are present or covered. */
  void putTerminal(PlacedRule rule, int layer) throws PlacementRefusedException {
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
      delete(entry);
    }
  }

  /** Deletes all entries of a rule that cannot win a packet. */
  void clear(PlacedRule rule) throws PlacementRefusedException {
    for (Entry entry : List.copyOf(rule.entries)) {
      delete(entry);
    }
  }
}
