package io.lockstep.placer;

import io.lockstep.store.Bytes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Writes and deletes single entries in a draft, with the covers and copies that they need. */
final class LayerWriter {
  private final Draft draft;
  private final Placement placement;

  LayerWriter(Draft draft) {
    this.draft = draft;
    this.placement = draft.placement;
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

  /** Writes a rule into a layer that has what the rule depends on. */
  void terminal(PlacedRule rule, int layer) throws PlacementRefusedException {
    Entry there = placement.layers.get(layer).entry(rule.key);
    if (there == null) {
      draft.step(new Step(Step.Kind.ADD, layer, rule.key, rule.key, rule.treatment, false, null));
    } else if (!there.owner.equals(rule)) {
      throw taken(rule.key, layer);
    } else if (!Objects.equals(there.treatment, rule.treatment)) {
      modify(rule, layer, rule.treatment);
    }
  }

  /** Changes a rule's entry; to a cover without a treatment. */
  void modify(PlacedRule rule, int layer, @Nullable Bytes treatment)
      throws PlacementRefusedException {
    draft.step(new Step(Step.Kind.MODIFY, layer, rule.key, rule.key, treatment, false, null));
  }

  PlacementRefusedException cannotCover(RuleKey above, RuleKey below, int layer) {
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

  /** Writes a rule, which has what it depends on, behind a copy where it needs one. */
  void putTerminal(PlacedRule rule, int layer) throws PlacementRefusedException {
    if (placement.aggregates.take(rule.key, layer) && !placement.terminal(rule, layer + 1)) {
      putCopy(rule, layer + 1);
    }
    terminal(rule, layer);
  }

  /** Writes a rule into a layer with what it depends on there; nothing else of it changes. */
  void putCopy(PlacedRule rule, int layer) throws PlacementRefusedException {
    coverAbove(rule.key, rule.rewrites, layer);
    putTerminal(rule, layer);
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

  /** An entry that is there. */
  Entry known(RuleKey key, int layer) {
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
}
