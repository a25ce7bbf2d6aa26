package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowFlag;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.GroupMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.packet.OxmField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFBucket;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupType;
import org.projectfloodlight.openflow.protocol.OFMatchV3;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionDecNwTtl;
import org.projectfloodlight.openflow.protocol.action.OFActionGroup;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionPopVlan;
import org.projectfloodlight.openflow.protocol.action.OFActionPushVlan;
import org.projectfloodlight.openflow.protocol.action.OFActionSetField;
import org.projectfloodlight.openflow.protocol.action.OFActionSetNwTtl;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionApplyActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionClearActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionGotoTable;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteActions;
import org.projectfloodlight.openflow.protocol.instruction.OFInstructionWriteMetadata;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFValueType;

/** Decodes the parts of 1.3 requests into the model's values; says why where it cannot. */
final class RequestReader {
  private RequestReader() {}

  static FlowMod flowMod(OFFlowMod message) throws RequestRefused {
    FlowMod.Command command =
        switch (message.getCommand()) {
          case ADD -> FlowMod.Command.ADD;
          case MODIFY -> FlowMod.Command.MODIFY;
          case MODIFY_STRICT -> FlowMod.Command.MODIFY_STRICT;
          case DELETE -> FlowMod.Command.DELETE;
          case DELETE_STRICT -> FlowMod.Command.DELETE_STRICT;
        };
    boolean delete = command == FlowMod.Command.DELETE || command == FlowMod.Command.DELETE_STRICT;
    return new FlowMod(
        command,
        message.getTableId().getValue(),
        match(message.getMatch()),
        message.getPriority(),
        message.getCookie().getValue(),
        // An add has no filter; its cookie mask means nothing (section 7.3.4.1).
        command == FlowMod.Command.ADD ? 0 : message.getCookieMask().getValue(),
        message.getIdleTimeout(),
        message.getHardTimeout(),
        flags(message.getFlags()),
        message.getBufferId().getInt(),
        message.getOutPort().getPortNumber(),
        message.getOutGroup().equals(OFGroup.ANY) || !delete,
        delete ? Instructions.NONE : instructions(message.getInstructions()));
  }

  static GroupMod groupMod(OFGroupMod message) throws RequestRefused {
    GroupMod.Command command =
        switch (message.getCommand()) {
          case ADD -> GroupMod.Command.ADD;
          case MODIFY -> GroupMod.Command.MODIFY;
          case DELETE -> GroupMod.Command.DELETE;
          default -> throw new RequestRefused(ModelError.BAD_REQUEST_TYPE); // of later versions
        };
    List<List<Action>> buckets = new ArrayList<>();
    for (OFBucket bucket : message.getBuckets()) {
      buckets.add(actions(bucket.getActions()));
    }
    return new GroupMod(
        command,
        message.getGroupType() == OFGroupType.INDIRECT,
        message.getGroup().getGroupNumber(),
        buckets);
  }

  private static Set<FlowFlag> flags(Set<OFFlowModFlags> flags) {
    Set<FlowFlag> result = EnumSet.noneOf(FlowFlag.class);
    for (OFFlowModFlags flag : flags) {
      switch (flag) {
        case SEND_FLOW_REM -> result.add(FlowFlag.SEND_FLOW_REMOVED);
        case CHECK_OVERLAP -> result.add(FlowFlag.CHECK_OVERLAP);
        case RESET_COUNTS -> result.add(FlowFlag.RESET_COUNTS);
        case NO_PKT_COUNTS -> result.add(FlowFlag.NO_PACKET_COUNTS);
        case NO_BYT_COUNTS -> result.add(FlowFlag.NO_BYTE_COUNTS);
        default -> {
          // Flags of other versions do not occur in a 1.3 message.
        }
      }
    }
    return result;
  }

  /** Reads the list itself: Match.getMatchFields() leaves out fields without prerequisites. */
  static FlowMatch match(Match match) throws RequestRefused {
    FlowMatch.Builder builder = FlowMatch.builder();
    for (OFOxm<?> oxm : ((OFMatchV3) match).getOxmList()) {
      addField(oxm, builder);
    }
    return builder.build();
  }

  private static <F extends OFValueType<F>> void addField(OFOxm<F> oxm, FlowMatch.Builder builder)
      throws RequestRefused {
    OxmBinding<F> binding = binding(oxm);
    if (binding == null) {
      throw new RequestRefused(ModelError.BAD_FIELD);
    }
    OxmField field = binding.field();
    F value = oxm.getValue();
    long high = binding.word(value, 0);
    if (oxm.isMasked()) {
      refuseBitsOutside(binding, value, oxm.getMask());
    }
    if (field.words() == 1) {
      long mask = oxm.isMasked() ? binding.word(oxm.getMask(), 0) : exactMask(field, high);
      builder.masked(field, high, mask);
      return;
    }
    long maskHigh = oxm.isMasked() ? binding.word(oxm.getMask(), 0) : -1L;
    long maskLow = oxm.isMasked() ? binding.word(oxm.getMask(), 1) : -1L;
    builder.masked128(field, high, binding.word(value, 1), maskHigh, maskLow);
  }

  /** A bit that the mask leaves open must be zero in the value (section 7.2.3.5). */
  private static <F extends OFValueType<F>> void refuseBitsOutside(
      OxmBinding<F> binding, F value, F mask) throws RequestRefused {
    for (int i = 0; i < binding.field().words(); i++) {
      if ((binding.word(value, i) & ~binding.word(mask, i)) != 0) {
        throw new RequestRefused(ModelError.BAD_WILDCARDS);
      }
    }
  }

  @SuppressWarnings("unchecked") // bindings are filed under their own match field
  private static <F extends OFValueType<F>> @Nullable OxmBinding<F> binding(OFOxm<F> oxm) {
    return (OxmBinding<F>) OxmBinding.of(oxm.getMatchField());
  }

  /** Bits beyond the field's width stay visible, so that the model's check refuses them. */
  private static long exactMask(OxmField field, long value) {
    return field.fullMask() | value;
  }

  static Instructions instructions(List<OFInstruction> list) throws RequestRefused {
    List<Action> apply = List.of();
    List<Action> write = List.of();
    boolean clear = false;
    long metadata = 0;
    long metadataMask = 0;
    int gotoTable = Instructions.NO_TABLE;
    for (OFInstruction instruction : list) {
      if (instruction instanceof OFInstructionApplyActions of) {
        apply = actions(of.getActions());
      } else if (instruction instanceof OFInstructionWriteActions of) {
        write = actions(of.getActions());
      } else if (instruction instanceof OFInstructionClearActions) {
        clear = true;
      } else if (instruction instanceof OFInstructionWriteMetadata of) {
        metadata = of.getMetadata().getValue();
        metadataMask = of.getMetadataMask().getValue();
      } else if (instruction instanceof OFInstructionGotoTable of) {
        gotoTable = of.getTableId().getValue();
      } else {
        throw new RequestRefused(ModelError.UNSUPPORTED_INSTRUCTION); // meter, experimenter
      }
    }
    return new Instructions(apply, clear, write, metadata, metadataMask, gotoTable);
  }

  static List<Action> actions(List<OFAction> list) throws RequestRefused {
    List<Action> actions = new ArrayList<>(list.size());
    for (OFAction action : list) {
      actions.add(action(action));
    }
    return actions;
  }

  private static Action action(OFAction action) throws RequestRefused {
    if (action instanceof OFActionOutput of) {
      return new Action.Output(of.getPort().getPortNumber(), of.getMaxLen() & 0xffff);
    } else if (action instanceof OFActionSetField of) {
      return setField(of.getField());
    } else if (action instanceof OFActionPushVlan of) {
      return new Action.PushVlan(of.getEthertype().getValue());
    } else if (action instanceof OFActionPopVlan) {
      return new Action.PopVlan();
    } else if (action instanceof OFActionSetNwTtl of) {
      return new Action.SetTtl(of.getNwTtl());
    } else if (action instanceof OFActionDecNwTtl) {
      return new Action.DecTtl();
    } else if (action instanceof OFActionGroup of) {
      return new Action.Group(of.getGroup().getGroupNumber());
    }
    throw new RequestRefused(ModelError.BAD_ACTION_TYPE); // queue, MPLS, experimenter
  }

  private static <F extends OFValueType<F>> Action setField(OFOxm<F> oxm) throws RequestRefused {
    OxmBinding<F> binding = binding(oxm);
    if (binding == null) {
      throw new RequestRefused(ModelError.BAD_SET_TYPE);
    }
    if (oxm.isMasked()) {
      throw new RequestRefused(ModelError.BAD_SET_ARGUMENT);
    }
    F value = oxm.getValue();
    long low = binding.field().words() == 2 ? binding.word(value, 1) : 0;
    return new Action.SetField(binding.field(), binding.word(value, 0), low);
  }
}
