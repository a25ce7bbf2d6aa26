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

  void add(SwitchConnection connection, FlowMod mod) {
    mods.computeIfAbsent(connection, none -> new ArrayList<>()).add(mod);
  }

  void add(SwitchConnection connection, PacketOut packet) {
    packets.computeIfAbsent(connection, none -> new ArrayList<>()).add(packet);
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
