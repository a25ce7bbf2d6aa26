package io.lockstep.core.packet;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;

/**
 * Turns the instructions of one decision into messages: first flow-mods at other switches, then all
 * flow-mods at this one in order, then at most one packet-out of the packet, then packets of the
 * application's own.
 */
final class Outcome implements Instruction.Visitor {
  private static final byte[] NO_DATA = {};
  private static final TrafficSelector ANY = DefaultTrafficSelector.emptySelector();
  private static final TrafficTreatment NOTHING = DefaultTrafficTreatment.emptyTreatment();

  private final long cookie;
  private final SwitchConnection connection;
  private final FlowDoor flows;
  private final @Nullable FrameView view;
  private final NetworkView network;
  private final Function<DeviceId, @Nullable SwitchConnection> mastered;
  private final List<FlowMod> mods = new ArrayList<>(2);
  private final List<PortNumber> outPorts = new ArrayList<>(4);
  private @Nullable OtherSwitches others;
  private @Nullable TrafficTreatment treatment;
  private int installs;

  /** The flow-mods of the switch that an instruction is for. */
  private List<FlowMod> target = mods;

  private boolean sends;
  private boolean sendsTwice;
  private boolean reportsFullPort;

  /** Most decisions have none. */
  private List<Instruction> timers = List.of();

  /** The same. */
  private List<String> counted = List.of();

  private int notMastered;

  Outcome(
      String application,
      SwitchConnection connection,
      FlowDoor flows,
      @Nullable FrameView view,
      NetworkView network,
      Function<DeviceId, @Nullable SwitchConnection> mastered) {
    this.cookie = Cookies.softEntriesOf(application);
    this.connection = connection;
    this.flows = flows;
    this.view = view;
    this.network = network;
    this.mastered = mastered;
  }

  /** How many instructions were for switches that this node does not master. */
  int notMastered() {
    return notMastered;
  }

  /** Reads the instructions; nothing is sent yet. */
  void read(Decision.Act act) {
    for (Instruction instruction : act.instructions()) {
      instruction.accept(this);
    }
  }

  /** Whether the application keeps no further address at the packet's port. */
  boolean reportsFullPort() {
    return reportsFullPort;
  }

  /** What is to be done with timers, in order: {@link DecisionRunner} does it. */
  List<Instruction> timers() {
    return timers;
  }

  /** What the application wants to be counted, each once. */
  List<String> counted() {
    return counted;
  }

  /** Sends everything that was read; tells what became of the packet. */
  PacketResult send(Decision.Act act) {
    FrameView claimed = act.passesOn() ? null : view;
    sendsTwice |= treatment != null && !outPorts.isEmpty();
    if (sendsTwice || (sends && claimed == null)) {
      return PacketResult.APPLICATION_FAILED;
    }
    boolean sent = others == null || others.sendFlowMods(flows);
    PacketResult result;
    if (claimed != null) {
      result = carryOut(claimed);
    } else {
      result =
          mods.isEmpty() || flows.send(connection, mods)
              ? PacketResult.DECIDED
              : PacketResult.SEND_REFUSED;
    }
    sent &= others == null || others.sendPackets();
    return sent ? result : PacketResult.SEND_REFUSED;
  }

  private PacketResult carryOut(FrameView view) {
    PacketIn packet = view.packet();
    boolean buffered = packet.bufferId() != PacketIn.NO_BUFFER;
    if (buffered && savesPacketOut() && flows.isDirect(connection)) {
      FlowMod mod = mods.get(mods.size() - 1);
      mods.set(mods.size() - 1, withBuffer(mod, packet.bufferId()));
      return flows.send(connection, mods) ? PacketResult.DECIDED : PacketResult.SEND_REFUSED;
    }
    if (!mods.isEmpty() && !flows.send(connection, mods)) {
      return PacketResult.SEND_REFUSED;
    }
    if (outPorts.isEmpty() && treatment == null && !buffered) {
      return PacketResult.DECIDED;
    }
    if (!buffered && packet.data().length < packet.totalLength()) {
      return PacketResult.TRUNCATED;
    }
    return connection.packetOut(out(packet, buffered))
        ? PacketResult.DECIDED
        : PacketResult.SEND_REFUSED;
  }

  private PacketOut out(PacketIn packet, boolean buffered) {
    if (treatment == null) {
      return new PacketOut(
          packet.bufferId(), packet.inPort(), outPorts, buffered ? NO_DATA : packet.data());
    }
    return new PacketOut(packet.bufferId(), packet.inPort(), treatment, packet.data());
  }

  @Override
  public void installFlow(Instruction.InstallFlow install) {
    installs += target == mods ? 1 : 0;
    target.add(
        new FlowMod(
            FlowMod.Operation.ADD,
            0,
            install.priority(),
            cookie | install.tag(),
            0,
            install.idleTimeoutSeconds(),
            install.hardTimeoutSeconds(),
            false,
            PacketIn.NO_BUFFER,
            install.selector(),
            install.treatment()));
  }

  @Override
  public void removeFlows(Instruction.RemoveFlows remove) {
    target.add(delete(remove.selector(), NOTHING, remove.tag(), remove.tagMask()));
  }

  @Override
  public void removeFlowsTo(Instruction.RemoveFlowsTo remove) {
    TrafficTreatment there = DefaultTrafficTreatment.builder().setOutput(remove.port()).build();
    target.add(delete(ANY, there, 0, 0));
  }

  @Override
  public void reportFullPort(Instruction.ReportFullPort report) {
    reportsFullPort = true;
  }

  @Override
  public void forward(Instruction.Forward forward) {
    sends = true;
    boolean back = view != null && view.inPort().equals(forward.port());
    outPorts.add(back ? PortNumber.IN_PORT : forward.port());
  }

  @Override
  public void flood(Instruction.Flood flood) {
    sends = true;
    if (view != null) {
      outPorts.addAll(network.floodPorts(view.deviceId(), view.inPort()));
    }
  }

  @Override
  public void send(Instruction.Send send) {
    sends = true;
    sendsTwice |= treatment != null;
    treatment =
        view == null
            ? send.treatment()
            : PacketTreatments.ofPacket(network, view.deviceId(), view.inPort(), send.treatment());
  }

  @Override
  public void at(Instruction.At at) {
    SwitchConnection other = other(at.device());
    if (other != null) {
      target = others().modsOf(other);
      at.entries().accept(this);
      target = mods;
    }
  }

  @Override
  public void emit(Instruction.Emit emit) {
    SwitchConnection other = other(emit.device());
    if (other != null) {
      PortNumber here = PortNumber.CONTROLLER;
      TrafficTreatment along =
          PacketTreatments.alongTree(network, emit.device(), here, emit.treatment());
      others().packetsOf(other).add(new PacketOut(PacketIn.NO_BUFFER, here, along, emit.frame()));
    }
  }

  @Override
  public void startTimer(Instruction.StartTimer start) {
    addTimer(start);
  }

  @Override
  public void stopTimer(Instruction.StopTimer stop) {
    addTimer(stop);
  }

  @Override
  public void count(Instruction.Count count) {
    if (counted.isEmpty()) {
      counted = new ArrayList<>(2);
    }
    counted.add(count.what());
  }

  private void addTimer(Instruction timer) {
    if (timers.isEmpty()) {
      timers = new ArrayList<>(2);
    }
    timers.add(timer);
  }

  private @Nullable SwitchConnection other(DeviceId device) {
    SwitchConnection other = mastered.apply(device);
    notMastered += other == null ? 1 : 0;
    return other;
  }

  private OtherSwitches others() {
    if (others == null) {
      others = new OtherSwitches();
    }
    return others;
  }

  private FlowMod delete(
      TrafficSelector selector, TrafficTreatment treatment, int tag, int tagMask) {
    return new FlowMod(
        FlowMod.Operation.DELETE,
        0,
        0,
        cookie | tag,
        Cookies.OWNER_MASK | tagMask,
        0,
        0,
        false,
        PacketIn.NO_BUFFER,
        selector,
        treatment);
  }

  /** Whether it installs an entry at the switch of the event. */
  boolean installs() {
    return installs > 0;
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
