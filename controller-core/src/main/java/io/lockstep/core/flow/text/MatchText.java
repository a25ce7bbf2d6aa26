package io.lockstep.core.flow.text;

import io.lockstep.core.flow.entry.HeaderSpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.ArpHaCriterion;
import org.onosproject.net.flow.criteria.ArpOpCriterion;
import org.onosproject.net.flow.criteria.ArpPaCriterion;
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPEcnCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.IcmpCodeCriterion;
import org.onosproject.net.flow.criteria.IcmpTypeCriterion;
import org.onosproject.net.flow.criteria.MetadataCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.SctpPortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;

/** Matches as texts: one {@code field=value} for each field. Pure. */
public final class MatchText {
  /** OFPP_MAX of OpenFlow 1.3.5 (section 7.2.1). */
  static final long MAX_PORT = 0xffff_ff00L;

  private static final Map<String, Reader> READERS = new LinkedHashMap<>();

  /** Reads the value of a field. */
  private interface Reader {
    Criterion read(String field, String value) throws FlowTextException;
  }

  static {
    READERS.put(
        "in_port",
        (f, v) -> Criteria.matchInPort(PortNumber.portNumber(TextValues.number(f, v, MAX_PORT))));
    READERS.put("eth_dst", (f, v) -> eth(f, v, true));
    READERS.put("eth_src", (f, v) -> eth(f, v, false));
    READERS.put("eth_type", (f, v) -> Criteria.matchEthType(small(f, v, 0xffff)));
    READERS.put("vlan_vid", (f, v) -> Criteria.matchVlanId(TextValues.vlan(f, v)));
    READERS.put("vlan_pcp", (f, v) -> Criteria.matchVlanPcp((byte) small(f, v, 7)));
    READERS.put("ip_proto", (f, v) -> Criteria.matchIPProtocol((short) small(f, v, 255)));
    READERS.put("ip_dscp", (f, v) -> Criteria.matchIPDscp((byte) small(f, v, 63)));
    READERS.put("ip_ecn", (f, v) -> Criteria.matchIPEcn((byte) small(f, v, 3)));
    READERS.put("ipv4_src", (f, v) -> Criteria.matchIPSrc(TextValues.prefix4(f, v)));
    READERS.put("ipv4_dst", (f, v) -> Criteria.matchIPDst(TextValues.prefix4(f, v)));
    READERS.put("ipv6_src", (f, v) -> Criteria.matchIPv6Src(TextValues.prefix6(f, v)));
    READERS.put("ipv6_dst", (f, v) -> Criteria.matchIPv6Dst(TextValues.prefix6(f, v)));
    READERS.put("tcp_src", (f, v) -> Criteria.matchTcpSrc(port(f, v)));
    READERS.put("tcp_dst", (f, v) -> Criteria.matchTcpDst(port(f, v)));
    READERS.put("udp_src", (f, v) -> Criteria.matchUdpSrc(port(f, v)));
    READERS.put("udp_dst", (f, v) -> Criteria.matchUdpDst(port(f, v)));
    READERS.put("sctp_src", (f, v) -> Criteria.matchSctpSrc(port(f, v)));
    READERS.put("sctp_dst", (f, v) -> Criteria.matchSctpDst(port(f, v)));
    READERS.put("icmpv4_type", (f, v) -> Criteria.matchIcmpType((short) small(f, v, 255)));
    READERS.put("icmpv4_code", (f, v) -> Criteria.matchIcmpCode((short) small(f, v, 255)));
    READERS.put("arp_op", (f, v) -> Criteria.matchArpOp(small(f, v, 0xffff)));
    READERS.put("arp_spa", (f, v) -> Criteria.matchArpSpa(TextValues.ip4(f, v)));
    READERS.put("arp_tpa", (f, v) -> Criteria.matchArpTpa(TextValues.ip4(f, v)));
    READERS.put("arp_sha", (f, v) -> Criteria.matchArpSha(TextValues.mac(f, v)));
    READERS.put("arp_tha", (f, v) -> Criteria.matchArpTha(TextValues.mac(f, v)));
    READERS.put("metadata", (f, v) -> Criteria.matchMetadata(TextValues.number(f, v, -1L)));
  }

  private MatchText() {}

  /**
   * Reads a match.
   *
   * @param fields {@code field=value}, each field once; none for a match of all packets
   * @throws FlowTextException naming the field that is wrong, or that needs another beside it
   */
  public static TrafficSelector parse(List<String> fields) throws FlowTextException {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    Map<Criterion.Type, String> seen = new LinkedHashMap<>();
    for (String one : fields) {
      int at = one.indexOf('=');
      String field = at < 0 ? one : one.substring(0, at);
      Reader reader = READERS.get(field);
      if (reader == null || at < 0) {
        throw new FlowTextException(
            "'" + one + "' is no field=value of a match",
            "fields: " + String.join(", ", READERS.keySet()));
      }
      Criterion criterion = reader.read(field, one.substring(at + 1));
      if (seen.put(criterion.type(), field) != null) {
        throw new FlowTextException(field + " is there twice", "give each field once");
      }
      selector.add(criterion);
    }
    TrafficSelector built = selector.build();
    String missing = HeaderSpace.missingPrerequisite(built);
    if (missing != null) {
      throw new FlowTextException(missing, "add what it needs (OpenFlow 1.3.5 section 7.2.3.8)");
    }
    return built;
  }

  private static int small(String field, String text, int most) throws FlowTextException {
    return (int) TextValues.number(field, text, most);
  }

  private static TpPort port(String field, String text) throws FlowTextException {
    return TpPort.tpPort(small(field, text, 0xffff));
  }

  private static Criterion eth(String field, String text, boolean isDestination)
      throws FlowTextException {
    int at = text.indexOf('/');
    MacAddress mac = TextValues.mac(field, at < 0 ? text : text.substring(0, at));
    if (at < 0) {
      return isDestination ? Criteria.matchEthDst(mac) : Criteria.matchEthSrc(mac);
    }
    MacAddress mask = TextValues.mac(field, text.substring(at + 1));
    return isDestination
        ? Criteria.matchEthDstMasked(mac, mask)
        : Criteria.matchEthSrcMasked(mac, mask);
  }

  /** A match as texts, in the order of OpenFlow's fields. */
  public static List<String> format(TrafficSelector selector) {
    List<Criterion> criteria = new ArrayList<>(selector.criteria());
    criteria.sort(Comparator.comparing(Criterion::type));
    return criteria.stream().map(MatchText::format).toList();
  }

  private static String format(Criterion criterion) {
    return switch (criterion.type()) {
      case IN_PORT -> "in_port=" + ((PortCriterion) criterion).port().toLong();
      case ETH_DST -> "eth_dst=" + TextValues.mac(((EthCriterion) criterion).mac());
      case ETH_SRC -> "eth_src=" + TextValues.mac(((EthCriterion) criterion).mac());
      case ETH_DST_MASKED -> "eth_dst=" + masked((EthCriterion) criterion);
      case ETH_SRC_MASKED -> "eth_src=" + masked((EthCriterion) criterion);
      case ETH_TYPE ->
          "eth_type=0x"
              + Integer.toHexString(
                  Short.toUnsignedInt(((EthTypeCriterion) criterion).ethType().toShort()));
      case VLAN_VID -> "vlan_vid=" + TextValues.vlan(((VlanIdCriterion) criterion).vlanId());
      case VLAN_PCP -> "vlan_pcp=" + ((VlanPcpCriterion) criterion).priority();
      case METADATA -> "metadata=0x" + Long.toHexString(((MetadataCriterion) criterion).metadata());
      case ARP_OP -> "arp_op=" + ((ArpOpCriterion) criterion).arpOp();
      case ARP_SPA -> "arp_spa=" + ((ArpPaCriterion) criterion).ip();
      case ARP_TPA -> "arp_tpa=" + ((ArpPaCriterion) criterion).ip();
      case ARP_SHA -> "arp_sha=" + TextValues.mac(((ArpHaCriterion) criterion).mac());
      case ARP_THA -> "arp_tha=" + TextValues.mac(((ArpHaCriterion) criterion).mac());
      default -> network(criterion);
    };
  }

  private static String network(Criterion criterion) {
    return switch (criterion.type()) {
      case IP_PROTO -> "ip_proto=" + ((IPProtocolCriterion) criterion).protocol();
      case IP_DSCP -> "ip_dscp=" + ((IPDscpCriterion) criterion).ipDscp();
      case IP_ECN -> "ip_ecn=" + ((IPEcnCriterion) criterion).ipEcn();
      case IPV4_SRC -> "ipv4_src=" + TextValues.prefix(ip(criterion));
      case IPV4_DST -> "ipv4_dst=" + TextValues.prefix(ip(criterion));
      case IPV6_SRC -> "ipv6_src=" + TextValues.prefix(ip(criterion));
      case IPV6_DST -> "ipv6_dst=" + TextValues.prefix(ip(criterion));
      case TCP_SRC -> "tcp_src=" + ((TcpPortCriterion) criterion).tcpPort();
      case TCP_DST -> "tcp_dst=" + ((TcpPortCriterion) criterion).tcpPort();
      case UDP_SRC -> "udp_src=" + ((UdpPortCriterion) criterion).udpPort();
      case UDP_DST -> "udp_dst=" + ((UdpPortCriterion) criterion).udpPort();
      case SCTP_SRC -> "sctp_src=" + ((SctpPortCriterion) criterion).sctpPort();
      case SCTP_DST -> "sctp_dst=" + ((SctpPortCriterion) criterion).sctpPort();
      case ICMPV4_TYPE -> "icmpv4_type=" + ((IcmpTypeCriterion) criterion).icmpType();
      case ICMPV4_CODE -> "icmpv4_code=" + ((IcmpCodeCriterion) criterion).icmpCode();
      // No operator wrote it, and no intended rule has it; a list shows it as onos-api does.
      default -> criterion.toString();
    };
  }

  private static String masked(EthCriterion criterion) {
    return TextValues.mac(criterion.mac()) + "/" + TextValues.mac(criterion.mask());
  }

  private static IpPrefix ip(Criterion criterion) {
    return ((IPCriterion) criterion).ip();
  }
}
