package io.lockstep.dataplane.openflow;

import static io.lockstep.dataplane.openflow.Reader10.ALL;
import static io.lockstep.dataplane.openflow.Reader10.DL_DST;
import static io.lockstep.dataplane.openflow.Reader10.DL_SRC;
import static io.lockstep.dataplane.openflow.Reader10.DL_TYPE;
import static io.lockstep.dataplane.openflow.Reader10.DL_VLAN;
import static io.lockstep.dataplane.openflow.Reader10.DL_VLAN_PCP;
import static io.lockstep.dataplane.openflow.Reader10.IN_PORT;
import static io.lockstep.dataplane.openflow.Reader10.NW_BITS;
import static io.lockstep.dataplane.openflow.Reader10.NW_DST_SHIFT;
import static io.lockstep.dataplane.openflow.Reader10.NW_PROTO;
import static io.lockstep.dataplane.openflow.Reader10.NW_SRC_SHIFT;
import static io.lockstep.dataplane.openflow.Reader10.NW_TOS;
import static io.lockstep.dataplane.openflow.Reader10.TP_DST;
import static io.lockstep.dataplane.openflow.Reader10.TP_SRC;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.packet.OxmField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMatchV1;
import org.projectfloodlight.openflow.protocol.OFPortConfig;
import org.projectfloodlight.openflow.protocol.OFPortDesc;
import org.projectfloodlight.openflow.protocol.OFPortFeatures;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActions;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.VlanPcp;
import org.projectfloodlight.openflow.types.VlanVid;

/**
 * Encodes the model's values as parts of 1.0 replies and notices. Stateless but for its factory.
 */
final class Writer10 {
  private final OFFactory factory;

  Writer10(OFFactory factory) {
    this.factory = factory;
  }

  OFMatchV1 match(FlowMatch match) {
    OFMatchV1.Builder fields = (OFMatchV1.Builder) factory.buildMatch();
    int wildcards = ALL;
    if (match.uses(OxmField.IN_PORT)) {
      fields.setInPort(OFPort.of((int) value(match, OxmField.IN_PORT)));
      wildcards &= ~IN_PORT;
    }
    if (match.uses(OxmField.ETH_SRC)) {
      fields.setEthSrc(MacAddress.of(value(match, OxmField.ETH_SRC)));
      wildcards &= ~DL_SRC;
    }
    if (match.uses(OxmField.ETH_DST)) {
      fields.setEthDst(MacAddress.of(value(match, OxmField.ETH_DST)));
      wildcards &= ~DL_DST;
    }
    if (match.uses(OxmField.VLAN_VID)) {
      int vid = (int) value(match, OxmField.VLAN_VID);
      fields.setVlanVid(vid == 0 ? OFVlanVidMatch.UNTAGGED : OFVlanVidMatch.ofVlan(vid & 0xfff));
      wildcards &= ~DL_VLAN;
    }
    if (match.uses(OxmField.VLAN_PCP)) {
      fields.setVlanPcp(VlanPcp.of((byte) value(match, OxmField.VLAN_PCP)));
      wildcards &= ~DL_VLAN_PCP;
    }
    if (match.uses(OxmField.ETH_TYPE)) {
      fields.setEthType(EthType.of((int) value(match, OxmField.ETH_TYPE)));
      wildcards &= ~DL_TYPE;
    }
    if (match.uses(OxmField.IP_DSCP)) {
      fields.setIpDscp(IpDscp.of((byte) value(match, OxmField.IP_DSCP)));
      wildcards &= ~NW_TOS;
    }
    wildcards = network(match, fields, wildcards);
    wildcards = transport(match, fields, wildcards);
    return fields.setWildcards(wildcards).build();
  }

  private static int network(FlowMatch match, OFMatchV1.Builder fields, int before) {
    int wildcards = before;
    for (OxmField field : List.of(OxmField.IP_PROTO, OxmField.ARP_OP)) {
      if (match.uses(field)) {
        fields.setIpProto(IpProtocol.of((short) value(match, field)));
        wildcards &= ~NW_PROTO;
      }
    }
    for (OxmField field : List.of(OxmField.IPV4_SRC, OxmField.ARP_SPA)) {
      if (match.uses(field)) {
        fields.setIpv4Src(IPv4Address.of((int) value(match, field)));
        wildcards = prefix(match, field, wildcards, NW_SRC_SHIFT);
      }
    }
    for (OxmField field : List.of(OxmField.IPV4_DST, OxmField.ARP_TPA)) {
      if (match.uses(field)) {
        fields.setIpv4Dst(IPv4Address.of((int) value(match, field)));
        wildcards = prefix(match, field, wildcards, NW_DST_SHIFT);
      }
    }
    return wildcards;
  }

  private static int prefix(FlowMatch match, OxmField field, int wildcards, int shift) {
    int open = Integer.SIZE - Long.bitCount(match.mask(field.slot()));
    return (wildcards & ~(NW_BITS << shift)) | (open << shift);
  }

  private static int transport(FlowMatch match, OFMatchV1.Builder fields, int before) {
    int wildcards = before;
    for (Reader10.Transport each : Reader10.Transport.values()) {
      if (match.uses(each.source())) {
        fields.setTcpSrc(TransportPort.of((int) value(match, each.source())));
        wildcards &= ~TP_SRC;
      }
      if (match.uses(each.target())) {
        fields.setTcpDst(TransportPort.of((int) value(match, each.target())));
        wildcards &= ~TP_DST;
      }
    }
    return wildcards;
  }

  private static long value(FlowMatch match, OxmField field) {
    return match.value(field.slot());
  }

  /** The actions of an entry that came in by 1.0: what 1.0 does not know is not among them. */
  List<OFAction> actions(List<Action> actions) {
    List<OFAction> list = new ArrayList<>(actions.size());
    for (Action action : actions) {
      if (action instanceof Action.Output output) {
        list.add(factory.actions().output(OFPort.of(output.port()), output.maxLength()));
      } else if (action instanceof Action.SetField set) {
        list.add(setField(set, factory.actions()));
      } else if (action instanceof Action.StripVlan) {
        list.add(factory.actions().stripVlan());
      } // a tag is added by the setting of a VLAN that follows it
    }
    return list;
  }

  private static OFAction setField(Action.SetField set, OFActions actions) {
    long value = set.value();
    return switch (set.field()) {
      case VLAN_VID -> actions.setVlanVid(VlanVid.ofVlan((int) value & 0xfff));
      case VLAN_PCP -> actions.setVlanPcp(VlanPcp.of((byte) value));
      case ETH_SRC -> actions.setDlSrc(MacAddress.of(value));
      case ETH_DST -> actions.setDlDst(MacAddress.of(value));
      case IPV4_SRC -> actions.setNwSrc(IPv4Address.of((int) value));
      case IPV4_DST -> actions.setNwDst(IPv4Address.of((int) value));
      case IP_DSCP -> actions.setNwTos((short) (value << 2));
      case TCP_SRC, UDP_SRC -> actions.setTpSrc(TransportPort.of((int) value));
      case TCP_DST, UDP_DST -> actions.setTpDst(TransportPort.of((int) value));
      default -> throw new IllegalStateException("1.0 cannot have set " + set.field());
    };
  }

  OFPortDesc port(SwitchPort port) {
    Set<OFPortConfig> config = EnumSet.noneOf(OFPortConfig.class);
    addIf(config, port.config().down(), OFPortConfig.PORT_DOWN);
    addIf(config, port.config().noReceive(), OFPortConfig.NO_RECV);
    addIf(config, port.config().noFlood(), OFPortConfig.NO_FLOOD);
    addIf(config, port.config().noForward(), OFPortConfig.NO_FWD);
    addIf(config, port.config().noPacketIn(), OFPortConfig.NO_PACKET_IN);
    boolean live = port.linkUp() && !port.config().down();
    return factory
        .buildPortDesc()
        .setPortNo(OFPort.of(port.number()))
        .setHwAddr(MacAddress.of(port.mac().value()))
        .setName(port.name())
        .setConfig(config)
        .setState(live ? Set.of() : EnumSet.of(OFPortState.LINK_DOWN))
        .setCurr(EnumSet.of(OFPortFeatures.PF_1GB_FD, OFPortFeatures.PF_COPPER))
        .setAdvertised(Set.of())
        .setSupported(Set.of())
        .setPeer(Set.of())
        .build();
  }

  private static void addIf(Set<OFPortConfig> set, boolean wanted, OFPortConfig flag) {
    if (wanted) {
      set.add(flag);
    }
  }
}
