package io.lockstep.core.packet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.flow.Cookies;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.packet.PacketCounters.Fate;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Turns the instructions of one decision into messages: first all flow-mods in order, then at most
 * one packet-out.
 */
final class Outcome {
  private static final byte[] NO_DATA = {};
  private static final TrafficSelector ANY = DefaultTrafficSelector.emptySelector();
  private static final TrafficTreatment NOTHING = DefaultTrafficTreatment.emptyTreatment();

  private final long cookie;
  private final SwitchConnection connection;
  private final FlowDoor flows;
  private final @Nullable FrameView view;
  private final NetworkView network;
  private final List<FlowMod> mods = new ArrayList<>(2);
  private final List<PortNumber> outPorts = new ArrayList<>(4);
  private int installs;
  private boolean sends;

  Outcome(
      String application,
      SwitchConnection connection,
      FlowDoor flows,
      @Nullable FrameView view,
      NetworkView network) {
    this.cookie = Cookies.softEntriesOf(application);
    this.connection = connection;
    this.flows = flows;
    this.view = view;
    this.network = network;
  }

  /** Sends everything; tells what became of the packet. */
  Fate carryOut(Decision.Act act) {
    for (Instruction instruction : act.instructions()) {
      add(instruction);
    }
    if (view == null) {
      if (sends) {
        return Fate.APPLICATION_FAILED;
      }
      return mods.isEmpty() || flows.send(connection, mods) ? Fate.DECIDED : Fate.SEND_REFUSED;
    }
    PacketIn packet = view.packet();
    boolean buffered = packet.bufferId() != PacketIn.NO_BUFFER;
    if (buffered && savesPacketOut() && flows.isDirect(connection)) {
      FlowMod mod = mods.get(mods.size() - 1);
      mods.set(mods.size() - 1, withBuffer(mod, packet.bufferId()));
      return flows.send(connection, mods) ? Fate.DECIDED : Fate.SEND_REFUSED;
    }
    if (!mods.isEmpty() && !flows.send(connection, mods)) {
      return Fate.SEND_REFUSED;
    }
    if (outPorts.isEmpty() && !buffered) {
      return Fate.DECIDED;
    }
    if (!buffered && packet.data().length < packet.totalLength()) {
      return Fate.TRUNCATED;
    }
    PacketOut out =
        new PacketOut(
            packet.bufferId(), packet.inPort(), outPorts, buffered ? NO_DATA : packet.data());
    return connection.packetOut(out) ? Fate.DECIDED : Fate.SEND_REFUSED;
  }

  private void add(Instruction instruction) {
    if (instruction instanceof Instruction.InstallFlow install) {
      installs++;
      mods.add(install(install));
    } else if (instruction instanceof Instruction.RemoveFlows remove) {
      mods.add(delete(remove.selector(), NOTHING));
    } else if (instruction instanceof Instruction.RemoveFlowsTo remove) {
      mods.add(delete(ANY, DefaultTrafficTreatment.builder().setOutput(remove.port()).build()));
    } else if (instruction instanceof Instruction.Forward forward) {
      sends = true;
      boolean back = view != null && view.inPort().equals(forward.port());
      outPorts.add(back ? PortNumber.IN_PORT : forward.port());
    } else if (instruction instanceof Instruction.Flood) {
      sends = true;
      if (view != null) {
        outPorts.addAll(network.floodPorts(view.deviceId(), view.inPort()));
      }
    }
  }

  private FlowMod install(Instruction.InstallFlow install) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        install.priority(),
        cookie,
        0,
        install.idleTimeoutSeconds(),
        install.hardTimeoutSeconds(),
        false,
        PacketIn.NO_BUFFER,
        install.selector(),
        install.treatment());
  }

  private FlowMod delete(TrafficSelector selector, TrafficTreatment treatment) {
    return new FlowMod(
        FlowMod.Operation.DELETE,
        0,
        0,
        cookie,
        Cookies.OWNER_MASK,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }

  /**
   * Whether the last flow-mod can take the buffered packet along: it is the only entry, and does
   * with the packet just what the decision says.
   */
  private boolean savesPacketOut() {
    if (installs != 1 || outPorts.size() != 1) {
      return false;
    }
    FlowMod last = mods.get(mods.size() - 1);
    return last.operation() == FlowMod.Operation.ADD
        && last.treatment().allInstructions().size() == 1
        && last.treatment().allInstructions().get(0) instanceof OutputInstruction output
        && output.port().equals(outPorts.get(0));
  }

  private static FlowMod withBuffer(FlowMod mod, long bufferId) {
    return new FlowMod(
        mod.operation(),
        mod.tableId(),
        mod.priority(),
        mod.cookie(),
        mod.cookieMask(),
        mod.idleTimeoutSeconds(),
        mod.hardTimeoutSeconds(),
        mod.notifyRemoval(),
        bufferId,
        mod.selector(),
        mod.treatment());
  }
}
