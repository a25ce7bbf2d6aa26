package io.lockstep.openflow.channel.translate;

import java.util.ArrayList;
import java.util.List;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanIdInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanPcpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModDscpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;
import org.projectfloodlight.openflow.protocol.OFFactory;
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
import org.projectfloodlight.openflow.protocol.action.OFActions;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.VlanPcp;
import org.projectfloodlight.openflow.types.VlanVid;

/**
 * Between treatments and the action list of OpenFlow 1.0 (section 5.2.4). No action drops. Only
 * what acts at once can be said; there is no action set, no metadata and no other table.
 */
final class TreatmentTranslation10 {
  /** As much of a packet as a packet-in can take. */
  private static final int WHOLE_FRAME = 0xffff;

  /** The DSCP is in the upper six bits of the type of service. */
  private static final int DSCP_SHIFT = 2;

  private static final short TCP = 6;
  private static final short UDP = 17;

  private TreatmentTranslation10() {}

  /**
   * The actions for a treatment.
   *
   * @param selector what the entry matches: one action sets the ports of TCP and UDP
   * @throws UntranslatableException naming the instruction that OpenFlow 1.0 cannot say
   */
  static List<OFAction> toActions(
      TrafficTreatment treatment, TrafficSelector selector, OFFactory factory)
      throws UntranslatableException {
    refuse(!treatment.meters().isEmpty(), "METER");
    refuse(treatment.statTrigger() != null, "STAT_TRIGGER");
    refuse(!treatment.deferred().isEmpty(), "deferred (write-actions)");
    refuse(treatment.writeMetadata() != null, "METADATA");
    refuse(treatment.tableTransition() != null, "TABLE (goto-table)");
    // With one table nothing was deferred before, so clearing it says nothing.
    List<OFAction> actions = new ArrayList<>(treatment.immediate().size());
    for (Instruction instruction : treatment.immediate()) {
      try {
        if (instruction.type() != Instruction.Type.NOACTION) {
          actions.add(toAction(instruction, selector, factory.actions()));
        }
      } catch (IllegalArgumentException e) {
        throw new UntranslatableException(
            "instruction " + instruction + " is out of range: " + e.getMessage());
      }
    }
    return actions;
  }

  private static void refuse(boolean present, String what) throws UntranslatableException {
    if (present) {
      throw unsayable(what);
    }
  }

  private static UntranslatableException unsayable(String what) {
    return new UntranslatableException("instruction " + what + " cannot be said in OpenFlow 1.0");
  }

  private static OFAction toAction(
      Instruction instruction, TrafficSelector selector, OFActions actions)
      throws UntranslatableException {
    return switch (instruction.type()) {
      case OUTPUT -> output(((Instructions.OutputInstruction) instruction).port(), actions);
      case L2MODIFICATION -> l2((L2ModificationInstruction) instruction, actions);
      case L3MODIFICATION -> l3((L3ModificationInstruction) instruction, actions);
      case L4MODIFICATION -> l4((L4ModificationInstruction) instruction, selector, actions);
      default -> throw unsayable(instruction.type().toString());
    };
  }

  private static OFAction output(PortNumber port, OFActions actions) {
    return actions.output(
        OFPort.of(PortNumbers.toWire10(port)),
        port.equals(PortNumber.CONTROLLER) ? WHOLE_FRAME : 0);
  }

  private static OFAction l2(L2ModificationInstruction instruction, OFActions actions)
      throws UntranslatableException {
    return switch (instruction.subtype()) {
      case ETH_SRC ->
          actions.setDlSrc(MatchTranslation.mac(((ModEtherInstruction) instruction).mac()));
      case ETH_DST ->
          actions.setDlDst(MatchTranslation.mac(((ModEtherInstruction) instruction).mac()));
      case VLAN_ID ->
          actions.setVlanVid(
              VlanVid.ofVlan(((ModVlanIdInstruction) instruction).vlanId().toShort()));
      case VLAN_PCP ->
          actions.setVlanPcp(VlanPcp.of(((ModVlanPcpInstruction) instruction).vlanPcp()));
      case VLAN_POP -> actions.stripVlan();
      default -> throw unsayable("L2MODIFICATION/" + instruction.subtype());
    };
  }

  private static OFAction l3(L3ModificationInstruction instruction, OFActions actions)
      throws UntranslatableException {
    return switch (instruction.subtype()) {
      case IPV4_SRC -> actions.setNwSrc(ipv4(((ModIPInstruction) instruction).ip()));
      case IPV4_DST -> actions.setNwDst(ipv4(((ModIPInstruction) instruction).ip()));
      case IP_DSCP ->
          actions.setNwTos((short) (((ModDscpInstruction) instruction).dscp() << DSCP_SHIFT));
      default -> throw unsayable("L3MODIFICATION/" + instruction.subtype());
    };
  }

  private static OFAction l4(
      L4ModificationInstruction instruction, TrafficSelector selector, OFActions actions)
      throws UntranslatableException {
    boolean tcp =
        switch (instruction.subtype()) {
          case TCP_SRC, TCP_DST -> true;
          case UDP_SRC, UDP_DST -> false;
        };
    if (!MatchTranslation10.isProtocol(selector, tcp ? TCP : UDP)) {
      throw new UntranslatableException(
          "instruction L4MODIFICATION/"
              + instruction.subtype()
              + " needs a selector with ETH_TYPE 0x800 and IP_PROTO "
              + (tcp ? TCP : UDP)
              + " in OpenFlow 1.0");
    }
    TransportPort port =
        TransportPort.of(((ModTransportPortInstruction) instruction).port().toInt());
    return switch (instruction.subtype()) {
      case TCP_SRC, UDP_SRC -> actions.setTpSrc(port);
      case TCP_DST, UDP_DST -> actions.setTpDst(port);
    };
  }

  private static IPv4Address ipv4(IpAddress address) {
    Ip4Address ip4 = address.getIp4Address();
    if (ip4 == null) {
      throw new IllegalArgumentException("not an IPv4 address");
    }
    return IPv4Address.of(ip4.toInt());
  }

  /**
   * The treatment for the actions of a flow entry.
   *
   * @param selector what the entry matches
   * @throws UntranslatableException naming the action that onos-api cannot say
   */
  static TrafficTreatment toTreatment(List<OFAction> actions, TrafficSelector selector)
      throws UntranslatableException {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder();
    boolean udp = MatchTranslation10.isProtocol(selector, UDP);
    for (OFAction action : actions) {
      treatment.add(toInstruction(action, udp));
    }
    return treatment.build();
  }

  private static Instruction toInstruction(OFAction action, boolean udp)
      throws UntranslatableException {
    return switch (action.getType()) {
      case OUTPUT ->
          Instructions.createOutput(
              PortNumbers.fromWire(((OFActionOutput) action).getPort().getPortNumber()));
      case SET_VLAN_VID ->
          Instructions.modVlanId(
              VlanId.vlanId(((OFActionSetVlanVid) action).getVlanVid().getVlan()));
      case SET_VLAN_PCP ->
          Instructions.modVlanPcp(((OFActionSetVlanPcp) action).getVlanPcp().getValue());
      case STRIP_VLAN -> Instructions.popVlan();
      case SET_DL_SRC ->
          Instructions.modL2Src(MatchTranslation.mac(((OFActionSetDlSrc) action).getDlAddr()));
      case SET_DL_DST ->
          Instructions.modL2Dst(MatchTranslation.mac(((OFActionSetDlDst) action).getDlAddr()));
      case SET_NW_SRC -> Instructions.modL3Src(ip(((OFActionSetNwSrc) action).getNwAddr()));
      case SET_NW_DST -> Instructions.modL3Dst(ip(((OFActionSetNwDst) action).getNwAddr()));
      case SET_NW_TOS ->
          Instructions.modIpDscp((byte) (((OFActionSetNwTos) action).getNwTos() >> DSCP_SHIFT));
      case SET_TP_SRC -> {
        TpPort port = TpPort.tpPort(((OFActionSetTpSrc) action).getTpPort().getPort());
        yield udp ? Instructions.modUdpSrc(port) : Instructions.modTcpSrc(port);
      }
      case SET_TP_DST -> {
        TpPort port = TpPort.tpPort(((OFActionSetTpDst) action).getTpPort().getPort());
        yield udp ? Instructions.modUdpDst(port) : Instructions.modTcpDst(port);
      }
      default -> throw new UntranslatableException("unsupported action " + action.getType());
    };
  }

  private static IpAddress ip(IPv4Address address) {
    return IpAddress.valueOf(address.getInt());
  }
}
