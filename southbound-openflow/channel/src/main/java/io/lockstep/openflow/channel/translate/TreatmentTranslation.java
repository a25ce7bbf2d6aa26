package io.lockstep.openflow.channel.translate;

import java.util.ArrayList;
import java.util.List;
import org.onosproject.core.GroupId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionPushVlan;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionGotoTable;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteMetadata;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/**
 * Between treatments and OpenFlow instructions (OpenFlow 1.3.5 section 7.2.4): immediate
 * instructions are applied actions, deferred ones written actions. No instruction at all drops.
 */
public final class TreatmentTranslation {
  /** {@code OFPCML_NO_BUFFER}: the switch sends the whole frame up and buffers nothing. */
  private static final int WHOLE_FRAME = 0xffff;

  private TreatmentTranslation() {}

  /**
   * The instructions for a treatment, in the order switches execute them (section 5.9).
   *
   * @throws UntranslatableException naming the instruction that is not supported
   */
  public static List<OFInstruction> toInstructions(TrafficTreatment treatment, OFFactory factory)
      throws UntranslatableException {
    List<OFInstruction> instructions = new ArrayList<>(2);
    if (!treatment.meters().isEmpty()) {
      throw new UntranslatableException("unsupported instruction METER");
    }
    if (treatment.statTrigger() != null) {
      throw new UntranslatableException("unsupported instruction STAT_TRIGGER");
    }
    List<OFAction> applied = toActions(treatment.immediate(), factory);
    if (!applied.isEmpty()) {
      instructions.add(factory.instructions().applyActions(applied));
    }
    if (treatment.clearedDeferred()) {
      instructions.add(factory.instructions().clearActions());
    }
    List<OFAction> written = toActions(treatment.deferred(), factory);
    if (!written.isEmpty()) {
      instructions.add(factory.instructions().writeActions(written));
    }
    Instructions.MetadataInstruction metadata = treatment.writeMetadata();
    if (metadata != null) {
      instructions.add(
          factory
              .instructions()
              .writeMetadata(U64.of(metadata.metadata()), U64.of(metadata.metadataMask())));
    }
    Instructions.TableTypeTransition transition = treatment.tableTransition();
    if (transition != null) {
      instructions.add(factory.instructions().gotoTable(TableId.of(transition.tableId())));
    }
    return instructions;
  }

  /**
   * The actions of a packet-out (section 7.3.7): it has no instructions, so what is not done at
   * once cannot be said.
   *
   * @throws UntranslatableException naming what is not supported
   */
  static List<OFAction> toPacketActions(TrafficTreatment treatment, OFFactory factory)
      throws UntranslatableException {
    if (!treatment.deferred().isEmpty()
        || treatment.tableTransition() != null
        || treatment.writeMetadata() != null
        || !treatment.meters().isEmpty()
        || treatment.statTrigger() != null) {
      throw new UntranslatableException(
          "a packet-out has actions only: no deferred ones, METER, METADATA, TABLE, STAT_TRIGGER");
    }
    return toActions(treatment.immediate(), factory);
  }

  /**
   * The treatment for the instructions of a flow entry.
   *
   * @throws UntranslatableException naming the instruction or action that onos-api cannot say
   */
  public static TrafficTreatment toTreatment(List<OFInstruction> instructions)
      throws UntranslatableException {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    for (OFInstruction instruction : instructions) {
      switch (instruction.getType()) {
        case APPLY_ACTIONS -> {
          treatment.immediate();
          addActions(((OFInstructionApplyActions) instruction).getActions(), treatment);
        }
        case WRITE_ACTIONS -> {
          treatment.deferred();
          addActions(((OFInstructionWriteActions) instruction).getActions(), treatment);
        }
        case CLEAR_ACTIONS -> treatment.wipeDeferred();
        case WRITE_METADATA -> {
          OFInstructionWriteMetadata metadata = (OFInstructionWriteMetadata) instruction;
          treatment.writeMetadata(
              metadata.getMetadata().getValue(), metadata.getMetadataMask().getValue());
        }
        case GOTO_TABLE ->
            treatment.transition(
                (int) ((OFInstructionGotoTable) instruction).getTableId().getValue());
        default ->
            throw new UntranslatableException("unsupported instruction " + instruction.getType());
      }
    }
    return treatment.build();
  }

  private static List<OFAction> toActions(List<Instruction> instructions, OFFactory factory)
      throws UntranslatableException {
    List<OFAction> actions = new ArrayList<>(instructions.size());
    for (Instruction instruction : instructions) {
      try {
        if (instruction.type() != Instruction.Type.NOACTION) {
          actions.add(toAction(instruction, factory));
        }
      } catch (IllegalArgumentException e) {
        throw new UntranslatableException(
            "instruction " + instruction + " is out of range: " + e.getMessage());
      }
    }
    return actions;
  }

  private static OFAction toAction(Instruction instruction, OFFactory factory)
      throws UntranslatableException {
    return switch (instruction.type()) {
      case OUTPUT -> output(((Instructions.OutputInstruction) instruction).port(), factory);
      case GROUP ->
          factory
              .actions()
              .group(OFGroup.of(((Instructions.GroupInstruction) instruction).groupId().id()));
      case L2MODIFICATION -> l2((L2ModificationInstruction) instruction, factory);
      case L3MODIFICATION -> l3((L3ModificationInstruction) instruction, factory);
      case L4MODIFICATION ->
          SetFieldTranslation.toAction((L4ModificationInstruction) instruction, factory);
      default -> throw new UntranslatableException("unsupported instruction " + instruction.type());
    };
  }

  private static OFAction l3(L3ModificationInstruction instruction, OFFactory factory)
      throws UntranslatableException {
    return instruction.subtype() == L3ModificationInstruction.L3SubType.DEC_TTL
        ? factory.actions().decNwTtl()
        : SetFieldTranslation.toAction(instruction, factory);
  }

  private static OFAction output(PortNumber port, OFFactory factory) {
    return factory
        .actions()
        .output(
            OFPort.of(PortNumbers.toWire(port)),
            port.equals(PortNumber.CONTROLLER) ? WHOLE_FRAME : 0);
  }

  private static OFAction l2(L2ModificationInstruction instruction, OFFactory factory)
      throws UntranslatableException {
    return switch (instruction.subtype()) {
      case VLAN_PUSH ->
          factory
              .actions()
              .pushVlan(
                  EthType.of(
                      Short.toUnsignedInt(
                          ((L2ModificationInstruction.ModVlanHeaderInstruction) instruction)
                              .ethernetType()
                              .toShort())));
      case VLAN_POP -> factory.actions().popVlan();
      default -> SetFieldTranslation.toAction(instruction, factory);
    };
  }

  private static void addActions(List<OFAction> actions, TrafficTreatment.Builder treatment)
      throws UntranslatableException {
    for (OFAction action : actions) {
      switch (action.getType()) {
        case OUTPUT ->
            treatment.add(
                Instructions.createOutput(
                    PortNumbers.fromWire(((OFActionOutput) action).getPort().getPortNumber())));
        case GROUP ->
            treatment.add(
                Instructions.createGroup(
                    new GroupId(((OFActionGroup) action).getGroup().getGroupNumber())));
        case PUSH_VLAN ->
            treatment.add(
                Instructions.pushVlan(
                    new org.onlab.packet.EthType(
                        ((OFActionPushVlan) action).getEthertype().getValue())));
        case POP_VLAN -> treatment.add(Instructions.popVlan());
        case DEC_NW_TTL -> treatment.add(Instructions.decNwTtl());
        case SET_FIELD ->
            treatment.add(
                SetFieldTranslation.toInstruction(((OFActionSetField) action).getField()));
        default -> throw new UntranslatableException("unsupported action " + action.getType());
      }
    }
  }
}
