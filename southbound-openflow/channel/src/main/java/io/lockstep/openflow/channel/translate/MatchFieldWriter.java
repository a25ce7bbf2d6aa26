package io.lockstep.openflow.channel.translate;

import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;

/**
 * Writes fields of OpenFlow 1.3 without openflowj's objects in between (OXM, 1.3.5 section 7.2.3):
 * the exact ones that applications match for each flow or connection. Criteria come in the order of
 * onos-api's types, so what a field needs stands before it (section 7.2.3.6). Pure.
 */
final class MatchFieldWriter {
  /** {@code OFPP_MAX}. */
  static final long MAX_PORT = 0xffff_ff00L;

  /** A field with its header has so many bytes at most. */
  static final int MOST_BYTES = 10;

  static final int ETH_DST = 0x8000_0606;
  static final int ETH_SRC = 0x8000_0806;
  static final int IPV4_SRC = 0x8000_1604;
  static final int IPV4_DST = 0x8000_1804;
  static final int TCP_SRC = 0x8000_1a02;
  static final int TCP_DST = 0x8000_1c02;
  static final int UDP_SRC = 0x8000_1e02;
  static final int UDP_DST = 0x8000_2002;
  private static final int IN_PORT = 0x8000_0004;
  private static final int ETH_TYPE = 0x8000_0a02;
  private static final int VLAN_VID = 0x8000_0c02;
  private static final int IP_PROTO = 0x8000_1401;
  private static final int VLAN_PRESENT = 0x1000;
  private static final int MAX_BYTE = 0xff;

  private MatchFieldWriter() {}

  /** Whether {@link #write} can say a criterion. */
  static boolean writes(Criterion criterion) {
    return switch (criterion.type()) {
      case ETH_SRC, ETH_DST, ETH_TYPE, TCP_SRC, TCP_DST, UDP_SRC, UDP_DST -> true;
      case IN_PORT -> isPhysical(((PortCriterion) criterion).port(), MAX_PORT);
      case VLAN_VID -> isOneVlan(((VlanIdCriterion) criterion).vlanId());
      case IP_PROTO -> (((IPProtocolCriterion) criterion).protocol() & ~MAX_BYTE) == 0;
      case IPV4_SRC, IPV4_DST -> isOneAddress(((IPCriterion) criterion).ip());
      default -> false;
    };
  }

  static boolean isPhysical(PortNumber port, long maxPort) {
    return !port.isLogical() && port.toLong() > 0 && port.toLong() <= maxPort;
  }

  /** Whether it stands for one id or for no tag. */
  static boolean isOneVlan(VlanId vlan) {
    return vlan.equals(VlanId.NONE) || (vlan.toShort() >= 0 && vlan.toShort() < 0xfff);
  }

  private static boolean isOneAddress(IpPrefix prefix) {
    return prefix.isIp4() && prefix.prefixLength() == Ip4Prefix.MAX_MASK_LENGTH;
  }

  /** Appends the field of a criterion that {@link #writes} accepts. */
  static void write(Criterion criterion, WireBytes out) {
    switch (criterion.type()) {
      case IN_PORT ->
          out.int32(IN_PORT).int32(PortNumbers.toWire(((PortCriterion) criterion).port()));
      case ETH_DST -> mac(ETH_DST, ((EthCriterion) criterion).mac(), out);
      case ETH_SRC -> mac(ETH_SRC, ((EthCriterion) criterion).mac(), out);
      case ETH_TYPE ->
          out.int32(ETH_TYPE).int16(((EthTypeCriterion) criterion).ethType().toShort());
      case VLAN_VID -> {
        VlanId vlan = ((VlanIdCriterion) criterion).vlanId();
        out.int32(VLAN_VID);
        out.int16(vlan.equals(VlanId.NONE) ? 0 : VLAN_PRESENT | vlan.toShort());
      }
      case IP_PROTO -> out.int32(IP_PROTO).int8(((IPProtocolCriterion) criterion).protocol());
      case IPV4_SRC -> address(IPV4_SRC, criterion, out);
      case IPV4_DST -> address(IPV4_DST, criterion, out);
      case TCP_SRC -> port(TCP_SRC, ((TcpPortCriterion) criterion).tcpPort().toInt(), out);
      case TCP_DST -> port(TCP_DST, ((TcpPortCriterion) criterion).tcpPort().toInt(), out);
      case UDP_SRC -> port(UDP_SRC, ((UdpPortCriterion) criterion).udpPort().toInt(), out);
      case UDP_DST -> port(UDP_DST, ((UdpPortCriterion) criterion).udpPort().toInt(), out);
      default -> throw new IllegalArgumentException("not a field that is written: " + criterion);
    }
  }

  private static void address(int field, Criterion criterion, WireBytes out) {
    address(field, ((IPCriterion) criterion).ip().address().getIp4Address().toInt(), out);
  }

  static void address(int field, int ip, WireBytes out) {
    out.int32(field).int32(ip);
  }

  static void mac(int field, MacAddress address, WireBytes out) {
    out.int32(field).mac(address.toLong());
  }

  static void port(int field, int port, WireBytes out) {
    out.int32(field).int16(port);
  }
}
