package io.lockstep.apps.learningswitch;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketView;
import io.lockstep.store.Reply;

/**
 * How the learning switch reaches the store: it learns where a packet's source is and finds where
 * its destination is. Pure: what it asks is a {@link Decision.Ask}, and the next one where several
 * are needed.
 */
@FunctionalInterface
public interface LearningAccess {

  /** The product's own: one call of {@link LearnInVlan} for every packet. */
  LearningAccess OWN =
      (packet, network, vlan, maxAtPort, then) ->
          new Decision.Ask(
              LearnInVlan.command(
                  packet.dpid(), vlan, packet.inPort().toLong(), packet.frame(), maxAtPort),
              reply ->
                  reply instanceof Reply.Returned returned
                      ? then.decide(packet, network, LearnInVlan.Result.of(returned.result()))
                      : Decision.DROP);

  /**
   * Learns and finds, then decides.
   *
   * @param network is handed on
   * @param vlan of the packet, 0 for none
   * @param maxAtPort addresses that may be learned at the packet's port
   */
  Decision learn(PacketView packet, NetworkView network, int vlan, int maxAtPort, Next then);

  /** Decides with what the store knows; pure. */
  @FunctionalInterface
  interface Next {
    Decision decide(PacketView packet, NetworkView network, LearnInVlan.Result result);
  }
}
