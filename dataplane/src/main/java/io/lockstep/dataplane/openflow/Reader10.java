package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.FlowFlag;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFlags;
import org.projectfloodlight.openflow.protocol.OFMatchV1;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.action.OFActionOutput;
import org.projectfloodlight.openflow.protocol.action.OFActionSetDlDst;
import org.projectfloodlight.openflow.protocol.action.OFActionSetDlSrc;
import org.projectfloodlight.openflow.protocol.action.OFActionSetNwDst;
import org.projectfloodlight.openflow.protocol.action.OFActionSetNwSrc;
import org.projectfloodlight.openflow.protocol.action.OFActionSetNwTos;
import org.projectfloodlight.openflow.protocol.action.OFActionSetTpDst;
import org.projectfloodlight.openflow.protocol.action.OFActionSetTpSrc;
import org.projectfloodlight.openflow.protocol.action.OFActionSetVlanPcp;
import org.projectfloodlight.openflow.protocol.action.OFActionSetVlanVid;
import org.projectfloodlight.openflow.protocol.action.OFActionStripVlan;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;

/** Decodes the parts of 1.0 requests into the model's values; says why where it cannot. */
final class Reader10 {
  /**
   * Added to the priority of an entry that leaves nothing open that counts: it wins over all others
   * (section 3.4). Among themselves such entries keep their order.
   */
  static final int EXACT_PRIORITY = 0x1_0000;

  /** The priority on the wire. */
  static final int PRIORITY_MASK = 0xffff;

  /** The bits of ofp_flow_wildcards. */
  static final int IN_PORT = 1;

  static final int DL_VLAN = 1 << 1;
  static final int DL_SRC = 1 << 2;
  static final int DL_DST = 1 << 3;
  static final int DL_TYPE = 1 << 4;
  static final int NW_PROTO = 1 << 5;
  static final int TP_SRC = 1 << 6;
  static final int TP_DST = 1 << 7;
  static final int NW_SRC_SHIFT = 8;
  static final int NW_DST_SHIFT = 14;
  static final int NW_BITS = 0x3f;
  static final int DL_VLAN_PCP = 1 << 20;
  static final int NW_TOS = 1 << 21;
  static final int ALL = (1 << 22) - 1;

  private static final int ADDRESS_BITS = 32;

  private static final List<OxmField> LINK =
      List.of(
          OxmField.IN_PORT,
          OxmField.ETH_SRC,
          OxmField.ETH_DST,
          OxmField.VLAN_VID,
          OxmField.ETH_TYPE);
  private static final List<OxmField> NETWORK =
      List.of(OxmField.IP_DSCP, OxmField.IP_PROTO, OxmField.IPV4_SRC, OxmField.IPV4_DST);
  private static final List<OxmField> ADDRESS_RESOLUTION =
      List.of(OxmField.ARP_OP, OxmField.ARP_SPA, OxmField.ARP_TPA);

  private Reader10() {}

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
    FlowMatch match = match((OFMatchV1) message.getMatch());
    Instructions instructions =
        delete
            ? Instructions.NONE
            : new Instructions(
                actions(message.getActions(), match),
                false,
                List.of(),
                0,
                0,
                Instructions.NO_TABLE);
    return new FlowMod(
        command,
        0,
        match,
        message.getPriority() + (isExact(match) ? EXACT_PRIORITY : 0),
        message.getCookie().getValue(),
        0,
        message.getIdleTimeout(),
        message.getHardTimeout(),
        flags(message.getFlags(), command),
        message.getBufferId().getInt(),
        delete ? message.getOutPort().getPortNumber() : PortNumbers.ANY,
        true,
        instructions);
  }

  /** An add takes the place of an equal entry with its counters at zero (section 4.6). */
  private static Set<FlowFlag> flags(Set<OFFlowModFlags> flags, FlowMod.Command command)
      throws RequestRefused {
    Set<FlowFlag> result = EnumSet.noneOf(FlowFlag.class);
    for (OFFlowModFlags flag : flags) {
      switch (flag) {
        case SEND_FLOW_REM -> result.add(FlowFlag.SEND_FLOW_REMOVED);
        case CHECK_OVERLAP -> result.add(FlowFlag.CHECK_OVERLAP);
        default -> throw new RequestRefused(ModelError.BAD_FIELD); // no emergency flow cache
      }
    }
    if (command == FlowMod.Command.ADD) {
      result.add(FlowFlag.RESET_COUNTS);
    }
    return result;
  }

  /** Whether no field is left open that counts for the packets of the match (section 3.4). */
  static boolean isExact(FlowMatch match) {
    if (!isExact(match, LINK)) {
      return false;
    }
    boolean tagged = (match.value(OxmField.VLAN_VID.slot()) & OxmField.VLAN_PRESENT) != 0;
    if (tagged && !match.uses(OxmField.VLAN_PCP)) {
      return false;
    }
    int type = (int) match.value(OxmField.ETH_TYPE.slot());
    if (type == EtherTypes.ARP) {
      return isExact(match, ADDRESS_RESOLUTION);
    }
    if (type != EtherTypes.IPV4) {
      return true;
    }
    Transport transport = Transport.of((int) match.value(OxmField.IP_PROTO.slot()));
    return isExact(match, NETWORK)
        && (transport == null || isExact(match, List.of(transport.source(), transport.target())));
  }

  private static boolean isExact(FlowMatch match, List<OxmField> fields) {
    return fields.stream().allMatch(match::isExact);
  }

  /** The fields that count: one without its prerequisite is ignored (section 3.4). */
  static FlowMatch match(OFMatchV1 match) {
    int wildcards = match.getWildcards();
    FlowMatch.Builder fields = FlowMatch.builder();
    if ((wildcards & IN_PORT) == 0) {
      fields.exact(OxmField.IN_PORT, match.getInPort().getPortNumber() & 0xffff_ffffL);
    }
    if ((wildcards & DL_SRC) == 0) {
      fields.exact(OxmField.ETH_SRC, match.getEthSrc().getLong());
    }
    if ((wildcards & DL_DST) == 0) {
      fields.exact(OxmField.ETH_DST, match.getEthDst().getLong());
    }
    if ((wildcards & DL_VLAN) == 0) {
      boolean untagged = match.getVlanVid().equals(OFVlanVidMatch.UNTAGGED);
      int vid = match.getVlanVid().getVlan() & 0xfff;
      fields.exact(OxmField.VLAN_VID, untagged ? 0 : OxmField.VLAN_PRESENT | vid);
      if (!untagged && (wildcards & DL_VLAN_PCP) == 0) {
        fields.exact(OxmField.VLAN_PCP, match.getVlanPcp().getValue());
      }
    }
    if ((wildcards & DL_TYPE) == 0) {
      int type = match.getEthType().getValue();
      fields.exact(OxmField.ETH_TYPE, type);
      if (type == EtherTypes.IPV4) {
        ip(match, fields);
      } else if (type == EtherTypes.ARP) {
        addresses(match, fields, OxmField.ARP_SPA, OxmField.ARP_TPA);
        if ((wildcards & NW_PROTO) == 0) {
          fields.exact(OxmField.ARP_OP, match.getIpProto().getIpProtocolNumber());
        }
      }
    }
    return fields.build();
  }

  private static void ip(OFMatchV1 match, FlowMatch.Builder fields) {
    int wildcards = match.getWildcards();
    addresses(match, fields, OxmField.IPV4_SRC, OxmField.IPV4_DST);
    if ((wildcards & NW_TOS) == 0) {
      fields.exact(OxmField.IP_DSCP, match.getIpDscp().getDscpValue());
    }
    if ((wildcards & NW_PROTO) != 0) {
      return;
    }
    int protocol = match.getIpProto().getIpProtocolNumber();
    fields.exact(OxmField.IP_PROTO, protocol);
    Transport transport = Transport.of(protocol);
    if (transport != null && (wildcards & TP_SRC) == 0) {
      fields.exact(transport.source(), transport.fit(match.getTcpSrc().getPort()));
    }
    if (transport != null && (wildcards & TP_DST) == 0) {
      fields.exact(transport.target(), transport.fit(match.getTcpDst().getPort()));
    }
  }

  private static void addresses(
      OFMatchV1 match, FlowMatch.Builder fields, OxmField source, OxmField target) {
    long sourceMask = mask(match.getWildcards() >> NW_SRC_SHIFT);
    long targetMask = mask(match.getWildcards() >> NW_DST_SHIFT);
    fields.masked(source, match.getIpv4Src().getInt() & 0xffff_ffffL, sourceMask);
    fields.masked(target, match.getIpv4Dst().getInt() & 0xffff_ffffL, targetMask);
  }

  private static long mask(int wildcards) {
    int open = wildcards & NW_BITS;
    return open >= ADDRESS_BITS ? 0 : (0xffff_ffffL << open) & 0xffff_ffffL;
  }

  /**
   * An action list. Setting a VLAN adds a tag where there is none, and stripping it does nothing
   * there (section 3.3, table 5).
   *
   * @param match of the entry, or null for a packet-out
   */
  static List<Action> actions(List<OFAction> list, @Nullable FlowMatch match)
      throws RequestRefused {
    List<Action> actions = new ArrayList<>(list.size());
    for (OFAction action : list) {
      if (action instanceof OFActionSetVlanVid set) {
        int vid = set.getVlanVid().getVlan() & 0xfff;
        actions.add(new Action.EnsureVlan());
        actions.add(Action.SetField.of(OxmField.VLAN_VID, OxmField.VLAN_PRESENT | vid));
      } else if (action instanceof OFActionSetVlanPcp set) {
        actions.add(new Action.EnsureVlan());
        actions.add(Action.SetField.of(OxmField.VLAN_PCP, set.getVlanPcp().getValue()));
      } else if (action instanceof OFActionStripVlan) {
        actions.add(new Action.StripVlan());
      } else if (match == null && action instanceof OFActionSetTpSrc set) {
        addPorts(actions, set.getTpPort().getPort(), Transport::source);
      } else if (match == null && action instanceof OFActionSetTpDst set) {
        addPorts(actions, set.getTpPort().getPort(), Transport::target);
      } else {
        actions.add(action(action, match));
      }
    }
    return actions;
  }

  /** The packet of a packet-out has one of both, or none. */
  private static void addPorts(
      List<Action> actions, int port, Function<Transport, OxmField> field) {
    actions.add(Action.SetField.of(field.apply(Transport.TCP), port));
    actions.add(Action.SetField.of(field.apply(Transport.UDP), port));
  }

  private static Action action(OFAction action, @Nullable FlowMatch match) throws RequestRefused {
    if (action instanceof OFActionOutput of) {
      return new Action.Output(of.getPort().getPortNumber(), of.getMaxLen() & 0xffff);
    } else if (action instanceof OFActionSetDlSrc of) {
      return Action.SetField.of(OxmField.ETH_SRC, of.getDlAddr().getLong());
    } else if (action instanceof OFActionSetDlDst of) {
      return Action.SetField.of(OxmField.ETH_DST, of.getDlAddr().getLong());
    } else if (action instanceof OFActionSetNwSrc of) {
      return Action.SetField.of(OxmField.IPV4_SRC, of.getNwAddr().getInt() & 0xffff_ffffL);
    } else if (action instanceof OFActionSetNwDst of) {
      return Action.SetField.of(OxmField.IPV4_DST, of.getNwAddr().getInt() & 0xffff_ffffL);
    } else if (action instanceof OFActionSetNwTos of) {
      return Action.SetField.of(OxmField.IP_DSCP, (of.getNwTos() & 0xff) >> 2);
    } else if (action instanceof OFActionSetTpSrc of) {
      return Action.SetField.of(transport(match).source(), of.getTpPort().getPort());
    } else if (action instanceof OFActionSetTpDst of) {
      return Action.SetField.of(transport(match).target(), of.getTpPort().getPort());
    }
    throw new RequestRefused(ModelError.BAD_ACTION_TYPE); // enqueue, vendor
  }

  /** The ports that an entry sets depend on the protocol it matches. */
  private static Transport transport(@Nullable FlowMatch match) throws RequestRefused {
    Transport transport =
        match == null || !match.isExact(OxmField.IP_PROTO)
            ? null
            : Transport.of((int) match.value(OxmField.IP_PROTO.slot()));
    if (transport == null || transport == Transport.ICMP) {
      throw new RequestRefused(ModelError.MATCH_INCONSISTENT);
    }
    return transport;
  }

  /** What tp_src and tp_dst stand for. */
  enum Transport {
    TCP(OxmField.TCP_SRC, OxmField.TCP_DST),
    UDP(OxmField.UDP_SRC, OxmField.UDP_DST),
    ICMP(OxmField.ICMPV4_TYPE, OxmField.ICMPV4_CODE);

    private final OxmField source;
    private final OxmField target;

    Transport(OxmField source, OxmField target) {
      this.source = source;
      this.target = target;
    }

    static @Nullable Transport of(int protocol) {
      return switch (protocol) {
        case EtherTypes.PROTO_TCP -> TCP;
        case EtherTypes.PROTO_UDP -> UDP;
        case EtherTypes.PROTO_ICMP -> ICMP;
        default -> null;
      };
    }

    OxmField source() {
      return source;
    }

    OxmField target() {
      return target;
    }

    /** The octets above the field's are ignored. */
    long fit(int number) {
      return number & source.fullMask();
    }
  }
}
