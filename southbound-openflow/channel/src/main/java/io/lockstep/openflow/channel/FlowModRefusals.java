package io.lockstep.openflow.channel;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import java.util.List;

/**
 * Reports flow-mods without confirmation that were not sent, or that the switch refused, to the
 * node. Owned by the event loop.
 */
final class FlowModRefusals {
  private final ServerRoom room;
  private final Peer peer;
  private final SwitchConnection connection;

  FlowModRefusals(ServerRoom room, Peer peer, SwitchConnection connection) {
    this.room = room;
    this.peer = peer;
    this.connection = connection;
  }

  /** Reports those of a batch that were refused, where {@code outcomes} are in its order. */
  void report(List<FlowMod> mods, List<FlowModOutcome> outcomes) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (outcomes.get(i) instanceof FlowModOutcome.Refused refused) {
        report(List.of(mods.get(i)), refused.error());
      }
    }
  }

  /** Not at once: the node may be in the middle of the call that sent them. One task for all. */
  void report(List<FlowMod> mods, String error) {
    peer.messages().flowModsRefused(mods.size());
    peer.channel()
        .eventLoop()
        .execute(
            () ->
                peer.guarded(
                    () ->
                        mods.forEach(
                            mod -> room.observer().flowModFailed(connection, mod, error))));
  }
}
