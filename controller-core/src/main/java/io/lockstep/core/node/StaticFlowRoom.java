package io.lockstep.core.node;

import io.lockstep.core.flow.RoomRules;
import io.lockstep.core.staticflow.StaticFlows;

/**
 * Static flows, put together. Stands behind {@link NetworkRoom}, which offers the rules. Offers
 * {@link StaticFlows}.
 */
public final class StaticFlowRoom implements NodeRoom {
  private StaticFlowRoom(NodeContext node) {
    node.services()
        .offer(
            StaticFlows.class,
            new StaticFlows(
                node.state(),
                node.services().get(RoomRules.class),
                node.store(),
                node.state().loop()::schedule));
  }

  /** Makes the room in a node. */
  public static NodeRoom.Factory serving() {
    return StaticFlowRoom::new;
  }
}
