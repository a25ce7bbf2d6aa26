package io.lockstep.openflow.channel.translate;

import java.util.List;
import org.onlab.packet.IpAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions.OutputInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;

/**
 * Writes actions of OpenFlow 1.3 without openflowj's objects in between (1.3.5 section 7.2.5): the
 * outputs and set-fields that applications use for each flow or connection. Pure.
 */
final class ActionWriter {
  /** Each action that is written here has so many bytes, padding included. */
  static final int BYTES = 16;

  /** Longer lists go through openflowj, which refuses those that exceed a message. */
  private static final int MOST_ACTIONS = 64;

  private static final int OUTPUT = 0;
  private static final int SET_FIELD = 25;

  /** {@code OFPCML_NO_BUFFER}: the switch sends the whole frame up and buffers nothing. */
  private static final int WHOLE_FRAME = 0xffff;

  private ActionWriter() {}

  /** Whether the treatment is actions at once alone, 1 to 64, that {@link #write} can say. */
  static boolean writes(TrafficTreatment treatment) {
    List<Instruction> immediate = treatment.immediate();
    if (immediate.isEmpty()
        || immediate.size() > MOST_ACTIONS
        || !treatment.deferred().isEmpty()
        || treatment.clearedDeferred()
        || treatment.tableTransition() != null
        || treatment.writeMetadata() != null
        || treatment.statTrigger() != null
        || !treatment.meters().isEmpty()) {
      return false;
    }
    for (int i = 0; i < immediate.size(); i++) {
      if (!writes(immediate.get(i))) {
        return false;
      }
    }
    return true;
  }

  private static boolean writes(Instruction instruction) {
    return switch (instruction.type()) {
      case OUTPUT -> hasNumber(((OutputInstruction) instruction).port());
      case L2MODIFICATION ->
          switch (((L2ModificationInstruction) instruction).subtype()) {
            case ETH_SRC, ETH_DST -> true;
            default -> false;
          };
      case L3MODIFICATION ->
          switch (((L3ModificationInstruction) instruction).subtype()) {
            case IPV4_SRC, IPV4_DST -> ((ModIPInstruction) instruction).ip().isIp4();
            default -> false;
          };
      case L4MODIFICATION -> instruction instanceof ModTransportPortInstruction;
      default -> false;
    };
  }

  private static boolean hasNumber(PortNumber port) {
    return MatchFieldWriter.isPhysical(port, MatchFieldWriter.MAX_PORT)
        || port.equals(PortNumber.IN_PORT)
        || port.equals(PortNumber.CONTROLLER);
  }

  /** How many bytes {@link #write} appends. */
  static int length(TrafficTreatment treatment) {
    return treatment.immediate().size() * BYTES;
  }

  /** Appends the actions of a treatment that {@link #writes} accepts. */
  static void write(TrafficTreatment treatment, WireBytes out) {
    List<Instruction> immediate = treatment.immediate();
    for (int i = 0; i < immediate.size(); i++) {
      int end = out.length() + BYTES;
      write(immediate.get(i), out);
      out.zerosTo(end);
    }
  }

  private static void write(Instruction instruction, WireBytes out) {
    switch (instruction.type()) {
      case OUTPUT -> output(((OutputInstruction) instruction).port(), out);
      case L2MODIFICATION -> ethernet((ModEtherInstruction) instruction, out);
      case L3MODIFICATION -> ip((ModIPInstruction) instruction, out);
      case L4MODIFICATION -> transport((ModTransportPortInstruction) instruction, out);
      default ->
          throw new IllegalArgumentException("not an action that is written: " + instruction);
    }
  }

  private static void output(PortNumber port, WireBytes out) {
    out.int16(OUTPUT).int16(BYTES).int32(PortNumbers.toWire(port));
    out.int16(port.equals(PortNumber.CONTROLLER) ? WHOLE_FRAME : 0);
  }

  private static void ethernet(ModEtherInstruction instruction, WireBytes out) {
    boolean source = instruction.subtype() == L2ModificationInstruction.L2SubType.ETH_SRC;
    MatchFieldWriter.mac(
        source ? MatchFieldWriter.ETH_SRC : MatchFieldWriter.ETH_DST,
        instruction.mac(),
        setField(out));
  }

  private static void ip(ModIPInstruction instruction, WireBytes out) {
    boolean source = instruction.subtype() == L3ModificationInstruction.L3SubType.IPV4_SRC;
    IpAddress address = instruction.ip();
    MatchFieldWriter.address(
        source ? MatchFieldWriter.IPV4_SRC : MatchFieldWriter.IPV4_DST,
        address.getIp4Address().toInt(),
        setField(out));
  }

  private static void transport(ModTransportPortInstruction instruction, WireBytes out) {
    int field =
        switch (instruction.subtype()) {
          case TCP_SRC -> MatchFieldWriter.TCP_SRC;
          case TCP_DST -> MatchFieldWriter.TCP_DST;
          case UDP_SRC -> MatchFieldWriter.UDP_SRC;
          case UDP_DST -> MatchFieldWriter.UDP_DST;
        };
    MatchFieldWriter.port(field, instruction.port().toInt(), setField(out));
  }

  private static WireBytes setField(WireBytes out) {
    return out.int16(SET_FIELD).int16(BYTES);
  }
}
