package io.lockstep.deploy.onos;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
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

/**
 * Criteria as ONOS's JSON: those that the store can keep in a rule ({@code SelectorCodec}). ONOS
 * has no JSON for the values of ARP; here they have the names of the other fields. Pure.
 */
final class CriterionJson {
  static final String TYPE = "type";
  static final String MAC = "mac";
  static final String IP = "ip";
  private static final String MASK = "macMask";
  private static final String VLAN_ID = "vlanId";

  /** ONOS's numbers for "without a tag" and "with any tag". */
  private static final int NO_VLAN = -1;

  private static final int ANY_VLAN = 4096;
  private static final int MAX_BYTE = 0xff;
  private static final int MAX_SHORT = 0xffff;
  private static final int MAX_DSCP = 63;
  private static final int MAX_ECN = 3;
  private static final int MAX_PCP = 7;

  private record Kind(
      BiConsumer<ObjectNode, Criterion> write, Function<JsonFields, Criterion> read) {}

  private static final Map<Criterion.Type, Kind> KINDS = new EnumMap<>(Criterion.Type.class);

  static {
    kind(
        Criterion.Type.IN_PORT,
        PortCriterion.class,
        (json, port) -> json.put("port", port.port().toLong()),
        fields -> Criteria.matchInPort(PortTexts.read(fields, "port", PortTexts.SOURCES)));
    mac(Criterion.Type.ETH_DST, EthCriterion.class, EthCriterion::mac, Criteria::matchEthDst);
    mac(Criterion.Type.ETH_SRC, EthCriterion.class, EthCriterion::mac, Criteria::matchEthSrc);
    kind(
        Criterion.Type.ETH_DST_MASKED,
        EthCriterion.class,
        CriterionJson::putMasked,
        fields -> Criteria.matchEthDstMasked(mac(fields, MAC), mac(fields, MASK)));
    kind(
        Criterion.Type.ETH_SRC_MASKED,
        EthCriterion.class,
        CriterionJson::putMasked,
        fields -> Criteria.matchEthSrcMasked(mac(fields, MAC), mac(fields, MASK)));
    kind(
        Criterion.Type.ETH_TYPE,
        EthTypeCriterion.class,
        (json, type) ->
            json.put(
                "ethType",
                "0x" + Integer.toHexString(Short.toUnsignedInt(type.ethType().toShort()))),
        fields -> Criteria.matchEthType(ethType(fields)));
    kind(
        Criterion.Type.VLAN_VID,
        VlanIdCriterion.class,
        (json, vlan) -> json.put(VLAN_ID, vlan.vlanId().toShort()),
        fields -> vlan(fields.whole(VLAN_ID, NO_VLAN, ANY_VLAN)));
    whole(
        Criterion.Type.VLAN_PCP,
        "priority",
        MAX_PCP,
        VlanPcpCriterion.class,
        VlanPcpCriterion::priority,
        value -> Criteria.matchVlanPcp((byte) value));
    ipNumbers();
    prefix(Criterion.Type.IPV4_SRC, false, Criteria::matchIPSrc);
    prefix(Criterion.Type.IPV4_DST, false, Criteria::matchIPDst);
    prefix(Criterion.Type.IPV6_SRC, true, Criteria::matchIPv6Src);
    prefix(Criterion.Type.IPV6_DST, true, Criteria::matchIPv6Dst);
    transport();
    arp();
    kind(
        Criterion.Type.METADATA,
        MetadataCriterion.class,
        (json, metadata) -> json.put("metadata", metadata.metadata()),
        fields -> Criteria.matchMetadata(fields.bits("metadata")));
  }

  private CriterionJson() {}

  private static void ipNumbers() {
    whole(
        Criterion.Type.IP_PROTO,
        "protocol",
        MAX_BYTE,
        IPProtocolCriterion.class,
        IPProtocolCriterion::protocol,
        value -> Criteria.matchIPProtocol((short) value));
    whole(
        Criterion.Type.IP_DSCP,
        "ipDscp",
        MAX_DSCP,
        IPDscpCriterion.class,
        IPDscpCriterion::ipDscp,
        value -> Criteria.matchIPDscp((byte) value));
    whole(
        Criterion.Type.IP_ECN,
        "ipEcn",
        MAX_ECN,
        IPEcnCriterion.class,
        IPEcnCriterion::ipEcn,
        value -> Criteria.matchIPEcn((byte) value));
    whole(
        Criterion.Type.ICMPV4_TYPE,
        "icmpType",
        MAX_BYTE,
        IcmpTypeCriterion.class,
        IcmpTypeCriterion::icmpType,
        value -> Criteria.matchIcmpType((short) value));
    whole(
        Criterion.Type.ICMPV4_CODE,
        "icmpCode",
        MAX_BYTE,
        IcmpCodeCriterion.class,
        IcmpCodeCriterion::icmpCode,
        value -> Criteria.matchIcmpCode((short) value));
  }

  private static void transport() {
    port(
        Criterion.Type.TCP_SRC,
        TcpPortCriterion.class,
        TcpPortCriterion::tcpPort,
        Criteria::matchTcpSrc);
    port(
        Criterion.Type.TCP_DST,
        TcpPortCriterion.class,
        TcpPortCriterion::tcpPort,
        Criteria::matchTcpDst);
    port(
        Criterion.Type.UDP_SRC,
        UdpPortCriterion.class,
        UdpPortCriterion::udpPort,
        Criteria::matchUdpSrc);
    port(
        Criterion.Type.UDP_DST,
        UdpPortCriterion.class,
        UdpPortCriterion::udpPort,
        Criteria::matchUdpDst);
    port(
        Criterion.Type.SCTP_SRC,
        SctpPortCriterion.class,
        SctpPortCriterion::sctpPort,
        Criteria::matchSctpSrc);
    port(
        Criterion.Type.SCTP_DST,
        SctpPortCriterion.class,
        SctpPortCriterion::sctpPort,
        Criteria::matchSctpDst);
  }

  private static void arp() {
    whole(
        Criterion.Type.ARP_OP,
        "arpOp",
        MAX_SHORT,
        ArpOpCriterion.class,
        ArpOpCriterion::arpOp,
        value -> Criteria.matchArpOp((int) value));
    address(Criterion.Type.ARP_SPA, Criteria::matchArpSpa);
    address(Criterion.Type.ARP_TPA, Criteria::matchArpTpa);
    mac(Criterion.Type.ARP_SHA, ArpHaCriterion.class, ArpHaCriterion::mac, Criteria::matchArpSha);
    mac(Criterion.Type.ARP_THA, ArpHaCriterion.class, ArpHaCriterion::mac, Criteria::matchArpTha);
  }

  /** The types that are offered. */
  static Iterable<Criterion.Type> types() {
    return KINDS.keySet();
  }

  /** Encodes; of a criterion without JSON the type alone. */
  static ObjectNode write(Criterion criterion) {
    ObjectNode json = OnosAnswer.object().put(TYPE, criterion.type().name());
    Kind kind = KINDS.get(criterion.type());
    if (kind != null) {
      kind.write().accept(json, criterion);
    }
    return json;
  }

  /** Decodes. */
  static Criterion read(JsonFields fields) {
    Kind kind = kind(fields.text(TYPE));
    if (kind == null) {
      throw fields.wrong(
          TYPE,
          "is none of "
              + KINDS.keySet().stream()
                  .map(Criterion.Type::name)
                  .collect(Collectors.joining(", ")));
    }
    Criterion criterion = kind.read().apply(fields);
    fields.end();
    return criterion;
  }

  private static @Nullable Kind kind(String name) {
    for (Map.Entry<Criterion.Type, Kind> one : KINDS.entrySet()) {
      if (one.getKey().name().equals(name)) {
        return one.getValue();
      }
    }
    return null;
  }

  static MacAddress mac(JsonFields fields, String name) {
    return fields.parsed(name, "MAC address", MacAddress::valueOf);
  }

  /** Also as the signed number of 16 bits that ONOS's first releases showed. */
  private static int ethType(JsonFields fields) {
    return (int) fields.whole("ethType", Short.MIN_VALUE, MAX_SHORT) & MAX_SHORT;
  }

  private static Criterion vlan(long value) {
    return Criteria.matchVlanId(VlanId.vlanId((short) value));
  }

  private static void putMasked(ObjectNode json, EthCriterion eth) {
    json.put(MAC, eth.mac().toString()).put(MASK, eth.mask().toString());
  }

  private static <C extends Criterion> void kind(
      Criterion.Type type,
      Class<C> shape,
      BiConsumer<ObjectNode, C> write,
      Function<JsonFields, Criterion> read) {
    KINDS.put(type, new Kind((json, criterion) -> write.accept(json, shape.cast(criterion)), read));
  }

  private static <C extends Criterion> void whole(
      Criterion.Type type,
      String field,
      long most,
      Class<C> shape,
      ToLongFunction<C> value,
      LongFunction<Criterion> make) {
    kind(
        type,
        shape,
        (json, criterion) -> json.put(field, value.applyAsLong(criterion)),
        fields -> make.apply(fields.whole(field, 0, most)));
  }

  private static <C extends Criterion> void port(
      Criterion.Type type,
      Class<C> shape,
      Function<C, TpPort> value,
      Function<TpPort, Criterion> make) {
    String protocol = type.name().substring(0, type.name().indexOf('_'));
    whole(
        type,
        protocol.toLowerCase(Locale.ROOT) + "Port",
        MAX_SHORT,
        shape,
        criterion -> value.apply(criterion).toInt(),
        number -> make.apply(TpPort.tpPort((int) number)));
  }

  private static <C extends Criterion> void mac(
      Criterion.Type type,
      Class<C> shape,
      Function<C, MacAddress> value,
      Function<MacAddress, Criterion> make) {
    kind(
        type,
        shape,
        (json, criterion) -> json.put(MAC, value.apply(criterion).toString()),
        fields -> make.apply(mac(fields, MAC)));
  }

  private static void prefix(
      Criterion.Type type, boolean isSix, Function<IpPrefix, Criterion> make) {
    kind(
        type,
        IPCriterion.class,
        (json, criterion) -> json.put(IP, criterion.ip().toString()),
        fields -> {
          IpPrefix prefix =
              fields.parsed(IP, "address with a length, such as 10.1.0.0/16", IpPrefix::valueOf);
          if (prefix.isIp4() == isSix) {
            throw fields.wrong(IP, "is of the other version of IP");
          }
          return make.apply(prefix);
        });
  }

  private static void address(Criterion.Type type, Function<Ip4Address, Criterion> make) {
    kind(
        type,
        ArpPaCriterion.class,
        (json, criterion) -> json.put(IP, criterion.ip().toString()),
        fields -> make.apply(fields.parsed(IP, "IPv4 address", Ip4Address::valueOf)));
  }
}
