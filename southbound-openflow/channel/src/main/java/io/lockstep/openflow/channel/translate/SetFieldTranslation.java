package io.lockstep.openflow.channel.translate;

import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.flow.instructions.Instruction;
import org.onosproject.net.flow.instructions.Instructions;
import org.onosproject.net.flow.instructions.L2ModificationInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModEtherInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanIdInstruction;
import org.onosproject.net.flow.instructions.L2ModificationInstruction.ModVlanPcpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModArpEthInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModArpIPInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModArpOpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModDscpInstruction;
import org.onosproject.net.flow.instructions.L3ModificationInstruction.ModIPInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction;
import org.onosproject.net.flow.instructions.L4ModificationInstruction.ModTransportPortInstruction;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.action.OFAction;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.protocol.oxm.OFOxms;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.VlanPcp;

/** Between modification instructions and set-field actions (OpenFlow 1.3.5 section 7.2.5.7). */
final class SetFieldTranslation {
  private SetFieldTranslation() {}

  static OFAction toAction(L2ModificationInstruction instruction, OFFactory factory)
      throws UntranslatableException {
    OFOxms oxms = factory.oxms();
    OFOxm<?> field =
        switch (instruction.subtype()) {
          case ETH_SRC ->
              oxms.ethSrc(MatchTranslation.mac(((ModEtherInstruction) instruction).mac()));
          case ETH_DST ->
              oxms.ethDst(MatchTranslation.mac(((ModEtherInstruction) instruction).mac()));
          case VLAN_ID ->
              oxms.vlanVid(
                  OFVlanVidMatch.ofVlan(((ModVlanIdInstruction) instruction).vlanId().toShort()));
          case VLAN_PCP ->
              oxms.vlanPcp(VlanPcp.of(((ModVlanPcpInstruction) instruction).vlanPcp()));
          default ->
              throw new UntranslatableException(
                  "unsupported instruction L2MODIFICATION/" + instruction.subtype());
        };
    return factory.actions().setField(field);
  }

  static OFAction toAction(L3ModificationInstruction instruction, OFFactory factory)
      throws UntranslatableException {
    OFOxms oxms = factory.oxms();
    OFOxm<?> field =
        switch (instruction.subtype()) {
          case IPV4_SRC -> oxms.ipv4Src(ipv4(((ModIPInstruction) instruction).ip()));
          case IPV4_DST -> oxms.ipv4Dst(ipv4(((ModIPInstruction) instruction).ip()));
          case IPV6_SRC -> oxms.ipv6Src(ipv6(((ModIPInstruction) instruction).ip()));
          case IPV6_DST -> oxms.ipv6Dst(ipv6(((ModIPInstruction) instruction).ip()));
          case IP_DSCP -> oxms.ipDscp(IpDscp.of(((ModDscpInstruction) instruction).dscp()));
          case ARP_SPA -> oxms.arpSpa(ipv4(((ModArpIPInstruction) instruction).ip()));
          case ARP_TPA -> oxms.arpTpa(ipv4(((ModArpIPInstruction) instruction).ip()));
          case ARP_SHA ->
              oxms.arpSha(MatchTranslation.mac(((ModArpEthInstruction) instruction).mac()));
          case ARP_THA ->
              oxms.arpTha(MatchTranslation.mac(((ModArpEthInstruction) instruction).mac()));
          case ARP_OP -> oxms.arpOp(ArpOpcode.of((int) ((ModArpOpInstruction) instruction).op()));
          default ->
              throw new UntranslatableException(
                  "unsupported instruction L3MODIFICATION/" + instruction.subtype());
        };
    return factory.actions().setField(field);
  }

  static OFAction toAction(L4ModificationInstruction instruction, OFFactory factory)
      throws UntranslatableException {
    OFOxms oxms = factory.oxms();
    TransportPort port =
        TransportPort.of(((ModTransportPortInstruction) instruction).port().toInt());
    OFOxm<?> field =
        switch (instruction.subtype()) {
          case TCP_SRC -> oxms.tcpSrc(port);
          case TCP_DST -> oxms.tcpDst(port);
          case UDP_SRC -> oxms.udpSrc(port);
          case UDP_DST -> oxms.udpDst(port);
        };
    return factory.actions().setField(field);
  }

  static Instruction toInstruction(OFOxm<?> field) throws UntranslatableException {
    Object value = field.getValue();
    return switch (field.getMatchField().id) {
      case ETH_SRC -> Instructions.modL2Src(MatchTranslation.mac((MacAddress) value));
      case ETH_DST -> Instructions.modL2Dst(MatchTranslation.mac((MacAddress) value));
      case VLAN_VID -> Instructions.modVlanId(VlanId.vlanId(((OFVlanVidMatch) value).getVlan()));
      case VLAN_PCP -> Instructions.modVlanPcp(((VlanPcp) value).getValue());
      case IPV4_SRC -> Instructions.modL3Src(ipv4((IPv4Address) value));
      case IPV4_DST -> Instructions.modL3Dst(ipv4((IPv4Address) value));
      case IPV6_SRC -> Instructions.modL3IPv6Src(ipv6((IPv6Address) value));
      case IPV6_DST -> Instructions.modL3IPv6Dst(ipv6((IPv6Address) value));
      case IP_DSCP -> Instructions.modIpDscp(((IpDscp) value).getDscpValue());
      case ARP_SPA -> Instructions.modArpSpa(ipv4((IPv4Address) value));
      case ARP_TPA -> Instructions.modArpTpa(ipv4((IPv4Address) value));
      case ARP_SHA -> Instructions.modArpSha(MatchTranslation.mac((MacAddress) value));
      case ARP_THA -> Instructions.modArpTha(MatchTranslation.mac((MacAddress) value));
      case ARP_OP -> Instructions.modL3ArpOp((short) ((ArpOpcode) value).getOpcode());
      case TCP_SRC -> Instructions.modTcpSrc(port(value));
      case TCP_DST -> Instructions.modTcpDst(port(value));
      case UDP_SRC -> Instructions.modUdpSrc(port(value));
      case UDP_DST -> Instructions.modUdpDst(port(value));
      default ->
          throw new UntranslatableException(
              "unsupported set-field " + field.getMatchField().getName());
    };
  }

  private static TpPort port(Object value) {
    return TpPort.tpPort(((TransportPort) value).getPort());
  }

  private static IPv4Address ipv4(IpAddress address) {
    Ip4Address ip4 = address.getIp4Address();
    if (ip4 == null) {
      throw new IllegalArgumentException("not an IPv4 address");
    }
    return IPv4Address.of(ip4.toInt());
  }

  private static IPv6Address ipv6(IpAddress address) {
    Ip6Address ip6 = address.getIp6Address();
    if (ip6 == null) {
      throw new IllegalArgumentException("not an IPv6 address");
    }
    return IPv6Address.of(ip6.toOctets());
  }

  private static IpAddress ipv4(IPv4Address address) {
    return IpAddress.valueOf(address.getInt());
  }

  private static IpAddress ipv6(IPv6Address address) {
    return IpAddress.valueOf(IpAddress.Version.INET6, address.getBytes());
  }
}
