package io.lockstep.openflow.channel.translate;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip4Prefix;
import org.onlab.packet.Ip6Prefix;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
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
import org.onosproject.net.flow.criteria.Icmpv6CodeCriterion;
import org.onosproject.net.flow.criteria.Icmpv6TypeCriterion;
import org.onosproject.net.flow.criteria.MetadataCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.SctpPortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFMatchV3;
import org.projectfloodlight.openflow.protocol.match.Match;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.protocol.match.MatchFields;
import org.projectfloodlight.openflow.protocol.oxm.OFOxm;
import org.projectfloodlight.openflow.types.ArpOpcode;
import org.projectfloodlight.openflow.types.EthType;
import org.projectfloodlight.openflow.types.ICMPv4Code;
import org.projectfloodlight.openflow.types.ICMPv4Type;
import org.projectfloodlight.openflow.types.IPv4Address;
import org.projectfloodlight.openflow.types.IPv6Address;
import org.projectfloodlight.openflow.types.IpDscp;
import org.projectfloodlight.openflow.types.IpEcn;
import org.projectfloodlight.openflow.types.IpProtocol;
import org.projectfloodlight.openflow.types.MacAddress;
import org.projectfloodlight.openflow.types.OFMetadata;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.OFValueType;
import org.projectfloodlight.openflow.types.OFVlanVidMatch;
import org.projectfloodlight.openflow.types.TransportPort;
import org.projectfloodlight.openflow.types.U64;
import org.projectfloodlight.openflow.types.U8;
import org.projectfloodlight.openflow.types.VlanPcp;

/**
 * Between selectors and OpenFlow matches (OpenFlow 1.3.5 section 7.2.3.7), by a table with one row
 * for each field. A prefix of length 0 says nothing and is left out, so it does not come back.
 */
public final class MatchTranslation {

  /** Writes one criterion into a match. */
  private interface ToMatch {
    void write(Criterion criterion, Match.Builder match);
  }

  /** Reads the criterion for one field of a match; no mask is an exact match. */
  private interface ToCriterion<F> {
    Criterion read(F value, @Nullable F mask) throws UntranslatableException;
  }

  private static final Map<Criterion.Type, ToMatch> TO_MATCH = new EnumMap<>(Criterion.Type.class);
  private static final Map<MatchFields, ToCriterion<?>> TO_CRITERION = new HashMap<>();

  static {
    exact(
        Criterion.Type.IN_PORT,
        MatchField.IN_PORT,
        PortCriterion.class,
        c -> OFPort.of(PortNumbers.toWire(c.port())),
        v -> Criteria.matchInPort(PortNumbers.fromWire(v.getPortNumber())));
    exact(
        Criterion.Type.METADATA,
        MatchField.METADATA,
        MetadataCriterion.class,
        c -> OFMetadata.of(U64.of(c.metadata())),
        v -> Criteria.matchMetadata(v.getValue().getValue()));
    exact(
        Criterion.Type.ETH_TYPE,
        MatchField.ETH_TYPE,
        EthTypeCriterion.class,
        c -> EthType.of(Short.toUnsignedInt(c.ethType().toShort())),
        v -> Criteria.matchEthType(v.getValue()));
    exact(
        Criterion.Type.VLAN_PCP,
        MatchField.VLAN_PCP,
        VlanPcpCriterion.class,
        c -> VlanPcp.of(c.priority()),
        v -> Criteria.matchVlanPcp(v.getValue()));
    exact(
        Criterion.Type.IP_PROTO,
        MatchField.IP_PROTO,
        IPProtocolCriterion.class,
        c -> IpProtocol.of(c.protocol()),
        v -> Criteria.matchIPProtocol(v.getIpProtocolNumber()));
    exact(
        Criterion.Type.IP_DSCP,
        MatchField.IP_DSCP,
        IPDscpCriterion.class,
        c -> IpDscp.of(c.ipDscp()),
        v -> Criteria.matchIPDscp(v.getDscpValue()));
    exact(
        Criterion.Type.IP_ECN,
        MatchField.IP_ECN,
        IPEcnCriterion.class,
        c -> IpEcn.of(c.ipEcn()),
        v -> Criteria.matchIPEcn(v.getEcnValue()));
    ethernet(
        Criterion.Type.ETH_SRC,
        Criterion.Type.ETH_SRC_MASKED,
        MatchField.ETH_SRC,
        Criteria::matchEthSrc,
        Criteria::matchEthSrcMasked);
    ethernet(
        Criterion.Type.ETH_DST,
        Criterion.Type.ETH_DST_MASKED,
        MatchField.ETH_DST,
        Criteria::matchEthDst,
        Criteria::matchEthDstMasked);
    vlan();
    ipv4(Criterion.Type.IPV4_SRC, MatchField.IPV4_SRC, Criteria::matchIPSrc);
    ipv4(Criterion.Type.IPV4_DST, MatchField.IPV4_DST, Criteria::matchIPDst);
    ipv6(Criterion.Type.IPV6_SRC, MatchField.IPV6_SRC, Criteria::matchIPv6Src);
    ipv6(Criterion.Type.IPV6_DST, MatchField.IPV6_DST, Criteria::matchIPv6Dst);
    transport();
    icmp();
    arp();
  }

  private MatchTranslation() {}

  /**
   * The match for a selector.
   *
   * @throws UntranslatableException naming the criterion that OpenFlow 1.3 or this table lacks
   */
  public static Match toMatch(TrafficSelector selector, OFFactory factory)
      throws UntranslatableException {
    Match.Builder match = factory.buildMatch();
    for (Criterion criterion : selector.criteria()) {
      ToMatch row = TO_MATCH.get(criterion.type());
      if (row == null) {
        throw new UntranslatableException("unsupported criterion " + criterion.type());
      }
      try {
        row.write(criterion, match);
      } catch (IllegalArgumentException e) {
        throw new UntranslatableException(
            "criterion " + criterion + " is out of range: " + e.getMessage());
      }
    }
    return match.build();
  }

  /**
   * The selector for a match. It is read from the fields as they came: openflowj's own iteration
   * leaves out fields whose prerequisites are missing, and so would make a wider selector.
   *
   * @throws UntranslatableException naming the field or mask that onos-api cannot say
   */
  public static TrafficSelector toSelector(Match match) throws UntranslatableException {
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (OFOxm<?> oxm : ((OFMatchV3) match).getOxmList()) {
      selector.add(toCriterion(oxm));
    }
    return selector.build();
  }

  // A row's type is its field's, which the methods below that fill the table see to.
  @SuppressWarnings("unchecked")
  private static <F extends OFValueType<F>> Criterion toCriterion(OFOxm<F> oxm)
      throws UntranslatableException {
    MatchField<F> field = oxm.getMatchField();
    ToCriterion<F> row = (ToCriterion<F>) TO_CRITERION.get(field.id);
    if (row == null) {
      throw new UntranslatableException("unsupported match field " + field.getName());
    }
    return row.read(oxm.getValue(), oxm.isMasked() ? oxm.getMask() : null);
  }

  private static <F extends OFValueType<F>> void row(MatchField<F> field, ToCriterion<F> row) {
    TO_CRITERION.put(field.id, row);
  }

  private static <C extends Criterion, F extends OFValueType<F>> void exact(
      Criterion.Type type,
      MatchField<F> field,
      Class<C> shape,
      Function<C, F> encode,
      Function<F, Criterion> decode) {
    TO_MATCH.put(type, (c, match) -> match.setExact(field, encode.apply(shape.cast(c))));
    row(
        field,
        (value, mask) -> {
          if (mask != null) {
            throw unsupportedMask(field, mask);
          }
          return decode.apply(value);
        });
  }

  private static UntranslatableException unsupportedMask(MatchField<?> field, Object mask) {
    return new UntranslatableException(
        "unsupported mask " + mask + " on match field " + field.getName());
  }

  private interface MaskedMac {
    Criterion of(org.onlab.packet.MacAddress mac, org.onlab.packet.MacAddress mask);
  }

  private static void ethernet(
      Criterion.Type type,
      Criterion.Type maskedType,
      MatchField<MacAddress> field,
      Function<org.onlab.packet.MacAddress, Criterion> exact,
      MaskedMac masked) {
    TO_MATCH.put(type, (c, match) -> match.setExact(field, mac(((EthCriterion) c).mac())));
    TO_MATCH.put(
        maskedType,
        (c, match) -> {
          MacAddress mask = mac(((EthCriterion) c).mask());
          match.setMasked(field, mac(((EthCriterion) c).mac()).applyMask(mask), mask);
        });
    row(
        field,
        (value, mask) -> mask == null ? exact.apply(mac(value)) : masked.of(mac(value), mac(mask)));
  }

  /** Untagged, any tag, or one id: section 7.2.3.8, table 13. */
  private static void vlan() {
    MatchField<OFVlanVidMatch> field = MatchField.VLAN_VID;
    TO_MATCH.put(
        Criterion.Type.VLAN_VID,
        (c, match) -> {
          VlanId vlan = ((VlanIdCriterion) c).vlanId();
          if (vlan.equals(VlanId.ANY)) {
            match.setMasked(field, OFVlanVidMatch.PRESENT, OFVlanVidMatch.PRESENT);
          } else if (vlan.equals(VlanId.NONE)) {
            match.setExact(field, OFVlanVidMatch.UNTAGGED);
          } else {
            match.setExact(field, OFVlanVidMatch.ofVlan(vlan.toShort()));
          }
        });
    row(
        field,
        (value, mask) -> {
          if (mask != null) {
            if (mask.equals(OFVlanVidMatch.PRESENT) && value.equals(OFVlanVidMatch.PRESENT)) {
              return Criteria.matchVlanId(VlanId.ANY);
            }
            throw unsupportedMask(field, mask);
          }
          return Criteria.matchVlanId(
              value.isPresentBitSet() ? VlanId.vlanId(value.getVlan()) : VlanId.NONE);
        });
  }

  private static void ipv4(
      Criterion.Type type, MatchField<IPv4Address> field, Function<Ip4Prefix, Criterion> decode) {
    TO_MATCH.put(type, (c, match) -> match.setMasked(field, Prefixes.ipv4(((IPCriterion) c).ip())));
    row(field, (value, mask) -> decode.apply(Prefixes.ipv4(value, mask)));
  }

  private static void ipv6(
      Criterion.Type type, MatchField<IPv6Address> field, Function<Ip6Prefix, Criterion> decode) {
    TO_MATCH.put(type, (c, match) -> match.setMasked(field, Prefixes.ipv6(((IPCriterion) c).ip())));
    row(field, (value, mask) -> decode.apply(Prefixes.ipv6(value, mask)));
  }

  private static void transport() {
    port(Criterion.Type.TCP_SRC, MatchField.TCP_SRC, Criteria::matchTcpSrc);
    port(Criterion.Type.TCP_DST, MatchField.TCP_DST, Criteria::matchTcpDst);
    port(Criterion.Type.UDP_SRC, MatchField.UDP_SRC, Criteria::matchUdpSrc);
    port(Criterion.Type.UDP_DST, MatchField.UDP_DST, Criteria::matchUdpDst);
    port(Criterion.Type.SCTP_SRC, MatchField.SCTP_SRC, Criteria::matchSctpSrc);
    port(Criterion.Type.SCTP_DST, MatchField.SCTP_DST, Criteria::matchSctpDst);
  }

  private static void port(
      Criterion.Type type, MatchField<TransportPort> field, Function<TpPort, Criterion> decode) {
    exact(
        type,
        field,
        Criterion.class,
        c -> TransportPort.of(tpPort(c).toInt()),
        v -> decode.apply(TpPort.tpPort(v.getPort())));
  }

  private static TpPort tpPort(Criterion criterion) {
    if (criterion instanceof TcpPortCriterion tcp) {
      return tcp.tcpPort();
    }
    if (criterion instanceof UdpPortCriterion udp) {
      return udp.udpPort();
    }
    return ((SctpPortCriterion) criterion).sctpPort();
  }

  private static void icmp() {
    exact(
        Criterion.Type.ICMPV4_TYPE,
        MatchField.ICMPV4_TYPE,
        IcmpTypeCriterion.class,
        c -> ICMPv4Type.of(c.icmpType()),
        v -> Criteria.matchIcmpType(v.getType()));
    exact(
        Criterion.Type.ICMPV4_CODE,
        MatchField.ICMPV4_CODE,
        IcmpCodeCriterion.class,
        c -> ICMPv4Code.of(c.icmpCode()),
        v -> Criteria.matchIcmpCode(v.getCode()));
    exact(
        Criterion.Type.ICMPV6_TYPE,
        MatchField.ICMPV6_TYPE,
        Icmpv6TypeCriterion.class,
        c -> U8.of(c.icmpv6Type()),
        v -> Criteria.matchIcmpv6Type(v.getValue()));
    exact(
        Criterion.Type.ICMPV6_CODE,
        MatchField.ICMPV6_CODE,
        Icmpv6CodeCriterion.class,
        c -> U8.of(c.icmpv6Code()),
        v -> Criteria.matchIcmpv6Code(v.getValue()));
  }

  private static void arp() {
    exact(
        Criterion.Type.ARP_OP,
        MatchField.ARP_OP,
        ArpOpCriterion.class,
        c -> ArpOpcode.of(c.arpOp()),
        v -> Criteria.matchArpOp(v.getOpcode()));
    arpAddress(Criterion.Type.ARP_SPA, MatchField.ARP_SPA, Criteria::matchArpSpa);
    arpAddress(Criterion.Type.ARP_TPA, MatchField.ARP_TPA, Criteria::matchArpTpa);
    arpHardware(Criterion.Type.ARP_SHA, MatchField.ARP_SHA, Criteria::matchArpSha);
    arpHardware(Criterion.Type.ARP_THA, MatchField.ARP_THA, Criteria::matchArpTha);
  }

  private static void arpAddress(
      Criterion.Type type, MatchField<IPv4Address> field, Function<Ip4Address, Criterion> decode) {
    exact(
        type,
        field,
        ArpPaCriterion.class,
        c -> IPv4Address.of(c.ip().toInt()),
        v -> decode.apply(Ip4Address.valueOf(v.getInt())));
  }

  private static void arpHardware(
      Criterion.Type type,
      MatchField<MacAddress> field,
      Function<org.onlab.packet.MacAddress, Criterion> decode) {
    exact(type, field, ArpHaCriterion.class, c -> mac(c.mac()), v -> decode.apply(mac(v)));
  }

  static MacAddress mac(org.onlab.packet.MacAddress mac) {
    return MacAddress.of(mac.toLong());
  }

  static org.onlab.packet.MacAddress mac(MacAddress mac) {
    return org.onlab.packet.MacAddress.valueOf(mac.getLong());
  }
}
