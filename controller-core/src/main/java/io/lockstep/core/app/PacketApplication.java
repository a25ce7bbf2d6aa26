package io.lockstep.core.app;

import java.util.List;

/**
 * Decides what happens to packets. Called on the event loop of the switch, many switches at once,
 * so an application is immutable: what it remembers lives in the store.
 */
public interface PacketApplication {

  /** Short name, {@code [a-z][a-z0-9-]*}; also names its flow entries' owner. */
  String name();

  /**
   * The pictures that the node keeps for it. Asked once, when the node starts.
   *
   * @see NetworkView#picture
   */
  default List<TablePicture<?>> pictures() {
    return List.of();
  }

  /**
   * Whether a packet names as its sender an address that belongs to the application, which answers
   * for it itself. The node asks this before anything learns from a packet. It drops and counts
   * what an application claims, so no host ever has an address of an application. Where it throws,
   * the node drops the packet as with {@link #packetIn}. It must not wait.
   */
  default boolean claimsSource(PacketView packet, NetworkView network) {
    return false;
  }

  /**
   * Decides on one packet. The node asks its applications in the order of their priority ({@link
   * ApplicationProvider#priority}) until one does not pass. Where it throws or gives null, the node
   * drops the packet, counts and logs that, and goes on. It must not wait: nothing else happens at
   * the switch meanwhile.
   */
  Decision packetIn(PacketView packet, NetworkView network);

  /**
   * Decides on a change of the network at a switch this node masters. {@link Decision.Pass} where
   * it does not matter. Every application is asked.
   */
  default Decision networkEvent(NetworkEvent event, NetworkView network) {
    return Decision.PASS;
  }
}
