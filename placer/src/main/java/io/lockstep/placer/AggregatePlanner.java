package io.lockstep.placer;

import java.util.List;

/**
 * Plans aggregated covers for a layer, as a part of an improvement. They stay where an exchange
 * behind them brings the layer more traffic, and go when no rule needs them. See ADR 0051.
 */
final class AggregatePlanner {
  private final Draft draft;
  private final Placement placement;
  private final PlacerOptions options;
  private final Moves moves;

  AggregatePlanner(Draft draft, PlacerOptions options) {
    this.draft = draft;
    this.placement = draft.placement;
    this.options = options;
    this.moves = new Moves(draft);
  }

  /**
   * Tries the aggregated covers that promise the most traffic, if a layer can have any.
   *
   * @param exchange exchanges rules of the layer with what is there then
   */
  void improve(int layer, Runnable exchange) {
    if (!options.aggregatedCovers()
        || !placement.aggregates.possible(layer)
        || placement.layers.get(layer + 1).bounded()) {
      return;
    }
    List<RuleKey> keys = AggregateFinder.find(placement, layer);
    if (keys.isEmpty()) {
      return;
    }
    int mark = draft.mark();
    double before = AggregateFinder.served(placement, layer);
    try {
      RoomMaker maker = new RoomMaker(draft, moves);
      for (RuleKey key : keys) {
        put(key, layer, maker);
      }
      exchange.run();
      deleteIdle(layer);
    } catch (PlacementRefusedException impossible) {
      draft.backTo(mark);
      return;
    }
    if (AggregateFinder.served(placement, layer) <= before) {
      draft.backTo(mark);
    }
  }

  /** Adds an aggregated cover, behind the copies that it makes necessary. */
  void put(RuleKey key, int layer, RoomMaker maker) throws PlacementRefusedException {
    if (placement.layers.get(layer).entry(key) != null) {
      return;
    }
    for (PlacedRule rule : placement.aggregates.uncopied(key, layer)) {
      moves.writer.putCopy(rule, layer + 1);
    }
    Step add = new Step(Step.Kind.ADD, layer, key, Aggregates.OWNER, null, false, null);
    while (true) {
      try {
        draft.step(add);
        return;
      } catch (PlacementRefusedException full) {
        if (!maker.free(full.refusal())) {
          throw full;
        }
      }
    }
  }

  /** Deletes the aggregated covers of a layer that no rule needs. */
  void deleteIdle(int layer) throws PlacementRefusedException {
    for (Entry entry : placement.aggregates.in(layer)) {
      if (!placement.needed(entry)) {
        moves.writer.delete(entry);
      }
    }
  }

  /** Deletes all aggregated covers that no rule needs, as far as the draft allows. */
  void deleteIdle() {
    for (int layer = 0; layer < placement.controller(); layer++) {
      int mark = draft.mark();
      try {
        deleteIdle(layer);
      } catch (PlacementRefusedException bound) {
        draft.backTo(mark);
      }
    }
  }
}
