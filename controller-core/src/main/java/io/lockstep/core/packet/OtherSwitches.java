package io.lockstep.core.packet;

import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What one decision sends from switches other than its own. Used for one decision. */
final class OtherSwitches {
  private final Map<SwitchConnection, List<FlowMod>> mods = new LinkedHashMap<>();
  private final Map<SwitchConnection, List<PacketOut>> packets = new LinkedHashMap<>();

  /** The flow-mods for a switch; the caller adds to them. */
  List<FlowMod> modsOf(SwitchConnection connection) {
    return mods.computeIfAbsent(connection, none -> new ArrayList<>());
  }

  /** The packets that a switch sends; the caller adds to them. */
  List<PacketOut> packetsOf(SwitchConnection connection) {
    return packets.computeIfAbsent(connection, none -> new ArrayList<>());
  }

  /** Sends all flow-mods; false where a switch did not take its own. */
  boolean sendFlowMods(FlowDoor flows) {
    boolean sent = true;
    for (Map.Entry<SwitchConnection, List<FlowMod>> other : mods.entrySet()) {
      sent &= flows.send(other.getKey(), other.getValue());
    }
    return sent;
  }

  /** Sends all packets; false where a switch did not take one. */
  boolean sendPackets() {
    boolean sent = true;
    for (Map.Entry<SwitchConnection, List<PacketOut>> other : packets.entrySet()) {
      for (PacketOut packet : other.getValue()) {
        sent &= other.getKey().packetOut(packet);
      }
    }
    return sent;
  }
}
