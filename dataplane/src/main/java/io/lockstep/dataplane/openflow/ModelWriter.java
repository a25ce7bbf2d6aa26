package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowFlag;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.packet.OxmField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.instruction.OFInstruction;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFGroup;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFValueType;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** Encodes the model's values as parts of replies and notices. Stateless but for its factory. */
final class ModelWriter {
  private static final long SPEED_KBPS = 1_000_000;

  private final OFFactory factory;

  ModelWriter(OFFactory factory) {
    this.factory = factory;
  }

  Match match(FlowMatch match) {
    Match.Builder builder = factory.buildMatch();
    for (OxmField field : OxmField.values()) {
      if (match.uses(field)) {
        addField(builder, match, OxmBinding.of(field));
      }
    }
    return builder.build();
  }

  private static <F extends OFValueType<F>> void addField(
      Match.Builder builder, FlowMatch match, OxmBinding<F> binding) {
    OxmField field = binding.field();
    int slot = field.slot();
    boolean wide = field.words() == 2;
    F value = binding.value(match.value(slot), wide ? match.value(slot + 1) : 0);
    if (match.isExact(field)) {
      builder.setExact(binding.matchField(), value);
    } else {
      F mask = binding.value(match.mask(slot), wide ? match.mask(slot + 1) : 0);
      builder.setMasked(binding.matchField(), value, mask);
    }
  }

  List<OFInstruction> instructions(Instructions instructions) {
    List<OFInstruction> list = new ArrayList<>();
    if (!instructions.apply().isEmpty()) {
      list.add(factory.instructions().applyActions(actions(instructions.apply())));
    }
    if (instructions.clear()) {
      list.add(factory.instructions().clearActions());
    }
    if (!instructions.write().isEmpty()) {
      list.add(factory.instructions().writeActions(actions(instructions.write())));
    }
    if (instructions.metadataMask() != 0) {
      list.add(
          factory
              .instructions()
              .writeMetadata(U64.of(instructions.metadata()), U64.of(instructions.metadataMask())));
    }
    if (instructions.gotoTable() != Instructions.NO_TABLE) {
      list.add(factory.instructions().gotoTable(TableId.of(instructions.gotoTable())));
    }
    return list;
  }

  List<OFAction> actions(List<Action> actions) {
    List<OFAction> list = new ArrayList<>(actions.size());
    for (Action action : actions) {
      list.add(action(action));
    }
    return list;
  }

  private OFAction action(Action action) {
    if (action instanceof Action.Output output) {
      return factory.actions().output(OFPort.of(output.port()), output.maxLength());
    } else if (action instanceof Action.SetField set) {
      return setField(set, OxmBinding.of(set.field()));
    } else if (action instanceof Action.PushVlan push) {
      return factory.actions().pushVlan(EthType.of(push.etherType()));
    } else if (action instanceof Action.PopVlan) {
      return factory.actions().popVlan();
    } else if (action instanceof Action.SetTtl set) {
      return factory.actions().setNwTtl((short) set.ttl());
    } else if (action instanceof Action.Group group) {
      return factory.actions().group(OFGroup.of(group.id()));
    }
    return factory.actions().decNwTtl();
  }

  private <F extends OFValueType<F>> OFAction setField(Action.SetField set, OxmBinding<F> binding) {
    F value = binding.value(set.value(), set.low());
    return factory.actions().setField(factory.oxms().fromValue(value, binding.matchField()));
  }

  static Set<OFFlowModFlags> flags(Set<FlowFlag> flags) {
    Set<OFFlowModFlags> result = EnumSet.noneOf(OFFlowModFlags.class);
    for (FlowFlag flag : flags) {
      result.add(
          switch (flag) {
            case SEND_FLOW_REMOVED -> OFFlowModFlags.SEND_FLOW_REM;
            case CHECK_OVERLAP -> OFFlowModFlags.CHECK_OVERLAP;
            case RESET_COUNTS -> OFFlowModFlags.RESET_COUNTS;
            case NO_PACKET_COUNTS -> OFFlowModFlags.NO_PKT_COUNTS;
            case NO_BYTE_COUNTS -> OFFlowModFlags.NO_BYT_COUNTS;
          });
    }
    return result;
  }

  OFPortDesc port(SwitchPort port) {
    Set<OFPortConfig> config = EnumSet.noneOf(OFPortConfig.class);
    addIf(config, port.config().down(), OFPortConfig.PORT_DOWN);
    addIf(config, port.config().noReceive(), OFPortConfig.NO_RECV);
    addIf(config, port.config().noForward(), OFPortConfig.NO_FWD);
    addIf(config, port.config().noPacketIn(), OFPortConfig.NO_PACKET_IN);
    boolean live = port.linkUp() && !port.config().down();
    return factory
        .buildPortDesc()
        .setPortNo(OFPort.of(port.number()))
        .setHwAddr(MacAddress.of(port.mac().value()))
        .setName(port.name())
        .setConfig(config)
        .setState(EnumSet.of(live ? OFPortState.LIVE : OFPortState.LINK_DOWN))
        .setCurr(EnumSet.of(OFPortFeatures.PF_1GB_FD, OFPortFeatures.PF_COPPER))
        .setAdvertised(Set.of())
        .setSupported(Set.of())
        .setPeer(Set.of())
        .setCurrSpeed(SPEED_KBPS)
        .setMaxSpeed(SPEED_KBPS)
        .build();
  }

  private static void addIf(Set<OFPortConfig> set, boolean wanted, OFPortConfig flag) {
    if (wanted) {
      set.add(flag);
    }
  }
}
