package io.lockstep.core.southbound;

import org.onosproject.net.device.PortDescription;

/**
 * Hears what switches do. Called on the event loop of the connection: an implementation must not
 * block, and what it throws closes that connection only.
 */
public interface SwitchObserver {

  /**
   * A handshake is complete. Nothing else is reported for the connection before this returns. The
   * switch is left in whatever role it gave the connection (EQUAL) until the node asks for one.
   */
  void connected(SwitchConnection connection);

  /** The connection is closed; nothing follows. Called once for each {@link #connected}. */
  void disconnected(SwitchConnection connection, String reason);

  void packetIn(SwitchConnection connection, PacketIn packetIn);

  /**
   * Whether a packet-in is to be dropped before anything is made of it; then the observer has
   * counted it, and {@link #packetIn} does not follow.
   *
   * @param port by which it came in, as {@code PortNumber.toLong()} has it
   */
  default boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
    return false;
  }

  /** A port was added, removed or changed; {@code connection.ports()} already shows it. */
  void portStatus(SwitchConnection connection, PortChange change, PortDescription port);

  void flowRemoved(SwitchConnection connection, FlowRemoved flowRemoved);

  /** The switch answered a flow-mod sent without a barrier with an error. */
  void flowModFailed(SwitchConnection connection, FlowMod mod, String error);

  /** The switch changed this connection's role unasked, or refused a message because of it. */
  void roleLost(SwitchConnection connection, String reason);

  /** What happened to a port. */
  enum PortChange {
    ADDED,
    REMOVED,
    MODIFIED
  }
}
