package io.lockstep.core.app;

/**
 * Decides what happens to packets. Called on the event loop of the switch, many switches at once,
 * so an application is immutable: what it remembers lives in the store.
 */
public interface PacketApplication {

  /** Short name, {@code [a-z][a-z0-9-]*}; also names its flow entries' owner. */
  String name();

  /** Decides on one packet. The node asks its applications in order until one does not pass. */
  Decision packetIn(PacketView packet, NetworkView network);

  /**
   * Decides on a change of the network at a switch this node masters. {@link Decision.Pass} where
   * it does not matter. Every application is asked.
   */
  default Decision networkEvent(NetworkEvent event, NetworkView network) {
    return Decision.PASS;
  }
}
