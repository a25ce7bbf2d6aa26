package io.lockstep.core.node;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver;
import org.onosproject.net.device.PortDescription;

/**
 * A room that a node is furnished with beyond its own. What it throws while it is told of a switch
 * costs that connection, never the node.
 */
public interface NodeRoom extends SwitchObserver, AutoCloseable {

  /** The node starts: the control loop runs, the views begin to follow the store. Once. */
  default void start() {}

  /** What is wrong at a switch, for people; empty where nothing is. Control loop only. */
  default String trouble(long dpid) {
    return "";
  }

  @Override
  default void connected(SwitchConnection connection) {}

  @Override
  default void disconnected(SwitchConnection connection, String reason) {}

  @Override
  default void packetIn(SwitchConnection connection, PacketIn packetIn) {}

  @Override
  default void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {}

  @Override
  default void flowRemoved(SwitchConnection connection, FlowRemoved flowRemoved) {}

  @Override
  default void flowModFailed(SwitchConnection connection, FlowMod mod, String error) {}

  @Override
  default void roleLost(SwitchConnection connection, String reason) {}

  /** The node stops; the control loop still runs. */
  @Override
  default void close() {}

  /** Makes a room while the node is assembled: it declares its tables and offers its services. */
  @FunctionalInterface
  interface Factory {
    NodeRoom furnish(NodeContext node);
  }
}
