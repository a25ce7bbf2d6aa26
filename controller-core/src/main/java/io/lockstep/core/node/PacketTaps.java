package io.lockstep.core.node;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Those who take packet-ins of their own before the node's rooms hear of them: measurements. There
 * are none most of the time. Thread-safe.
 */
public final class PacketTaps {
  private final List<Tap> taps = new CopyOnWriteArrayList<>();

  /** Takes packets; called on the switch's event loop, must not block. */
  @FunctionalInterface
  public interface Tap {
    /** Whether the packet was this tap's; nobody else hears of it then. */
    boolean take(SwitchConnection connection, PacketIn packetIn);
  }

  /** Asks a tap about every packet from now on. */
  public void add(Tap tap) {
    taps.add(tap);
  }

  /** Asks it no longer. */
  public void remove(Tap tap) {
    taps.remove(tap);
  }

  /** Whether no tap takes packets. */
  public boolean isEmpty() {
    return taps.isEmpty();
  }

  /** Whether a packet was some tap's; on the switch's event loop. */
  public boolean take(SwitchConnection connection, PacketIn packetIn) {
    for (Tap tap : taps) {
      if (tap.take(connection, packetIn)) {
        return true;
      }
    }
    return false;
  }
}
