package io.lockstep.core.node;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver;
import io.lockstep.store.logging.BoundedLog;
import java.util.List;
import java.util.function.Consumer;
import org.onosproject.net.device.PortDescription;

/**
 * Leads what switches do to the rooms, in their order. What a room throws closes the connection it
 * was told of and reaches neither the other rooms nor the southbound.
 */
final class SwitchFanOut implements SwitchObserver {
  private static final BoundedLog log = BoundedLog.of(SwitchFanOut.class);

  private final List<? extends SwitchObserver> rooms;
  private final PacketTaps taps;

  SwitchFanOut(List<? extends SwitchObserver> rooms, PacketTaps taps) {
    this.taps = taps;
    this.rooms = List.copyOf(rooms);
  }

  @Override
  public void connected(SwitchConnection connection) {
    tell(connection, "a new connection", room -> room.connected(connection));
  }

  @Override
  public void disconnected(SwitchConnection connection, String reason) {
    tell(connection, "a closed connection", room -> room.disconnected(connection, reason));
  }

  @Override
  public void packetIn(SwitchConnection connection, PacketIn packetIn) {
    if (!taps.take(connection, packetIn)) {
      tell(connection, "a packet-in", room -> room.packetIn(connection, packetIn));
    }
  }

  /** {@inheritDoc} A running probe may take any packet, so it has all of them. */
  @Override
  public boolean refuses(SwitchConnection connection, long port, PacketKind kind) {
    if (taps.isEmpty()) {
      for (int i = 0; i < rooms.size(); i++) {
        if (rooms.get(i).refuses(connection, port, kind)) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  public void portStatus(SwitchConnection connection, PortChange change, PortDescription port) {
    tell(connection, "a port status", room -> room.portStatus(connection, change, port));
  }

  @Override
  public void flowRemoved(SwitchConnection connection, FlowRemoved flowRemoved) {
    tell(connection, "a flow-removed", room -> room.flowRemoved(connection, flowRemoved));
  }

  @Override
  public void flowModFailed(SwitchConnection connection, FlowMod mod, String error) {
    tell(connection, "a failed flow-mod", room -> room.flowModFailed(connection, mod, error));
  }

  @Override
  public void roleLost(SwitchConnection connection, String reason) {
    tell(connection, "a lost role", room -> room.roleLost(connection, reason));
  }

  private void tell(SwitchConnection connection, String what, Consumer<SwitchObserver> telling) {
    for (SwitchObserver room : rooms) {
      try {
        telling.accept(room);
      } catch (RuntimeException | LinkageError | AssertionError | StackOverflowError e) {
        String name = room.getClass().getName();
        log.error(
            connection.deviceId(), "{}: {} failed at {}", connection.deviceId(), name, what, e);
        connection.close(name + " failed at " + what + ": " + e);
      }
    }
  }
}
