package io.lockstep.core.flow.entry;

import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.Ip6Address;
import org.onlab.packet.IpAddress;
import org.onlab.packet.IpPrefix;
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
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

/**
 * Selectors as bytes: the number of criteria, then each criterion's code and value. The codes are
 * part of the format and are never used again for something else. Pure and thread-safe.
 */
public final class SelectorCodec {
  private static final int MAX_CRITERIA = 64;
  private static final int MAC_BYTES = 6;

  private record Row(
      int code,
      Criterion.Type type,
      BiConsumer<Criterion, ByteWriter> write,
      Function<ByteReader, Criterion> read) {}

  private static final Map<Criterion.Type, Row> BY_TYPE = new EnumMap<>(Criterion.Type.class);
  private static final Map<Integer, Row> BY_CODE = new HashMap<>();

  static {
    row(
        1,
        Criterion.Type.IN_PORT,
        PortCriterion.class,
        PortCriterion::port,
        SelectorCodec::port,
        in -> Criteria.matchInPort(port(in)));
    mac(2, Criterion.Type.ETH_DST, EthCriterion.class, EthCriterion::mac, Criteria::matchEthDst);
    mac(3, Criterion.Type.ETH_SRC, EthCriterion.class, EthCriterion::mac, Criteria::matchEthSrc);
    masked(4, Criterion.Type.ETH_DST_MASKED, Criteria::matchEthDstMasked);
    masked(5, Criterion.Type.ETH_SRC_MASKED, Criteria::matchEthSrcMasked);
    row(
        6,
        Criterion.Type.ETH_TYPE,
        EthTypeCriterion.class,
        c -> Short.toUnsignedInt(c.ethType().toShort()),
        ByteWriter::int16,
        in -> Criteria.matchEthType(in.uint16()));
    row(
        7,
        Criterion.Type.VLAN_VID,
        VlanIdCriterion.class,
        c -> Short.toUnsignedInt(c.vlanId().toShort()),
        ByteWriter::int16,
        in -> Criteria.matchVlanId(VlanId.vlanId((short) in.uint16())));
    small(
        8,
        Criterion.Type.VLAN_PCP,
        VlanPcpCriterion.class,
        c -> (int) c.priority(),
        v -> Criteria.matchVlanPcp(v.byteValue()));
    small(
        9,
        Criterion.Type.IP_PROTO,
        IPProtocolCriterion.class,
        c -> (int) c.protocol(),
        v -> Criteria.matchIPProtocol(v.shortValue()));
    small(
        10,
        Criterion.Type.IP_DSCP,
        IPDscpCriterion.class,
        c -> (int) c.ipDscp(),
        v -> Criteria.matchIPDscp(v.byteValue()));
    small(
        11,
        Criterion.Type.IP_ECN,
        IPEcnCriterion.class,
        c -> (int) c.ipEcn(),
        v -> Criteria.matchIPEcn(v.byteValue()));
    prefix(12, Criterion.Type.IPV4_SRC, Criteria::matchIPSrc);
    prefix(13, Criterion.Type.IPV4_DST, Criteria::matchIPDst);
    prefix(14, Criterion.Type.IPV6_SRC, Criteria::matchIPv6Src);
    prefix(15, Criterion.Type.IPV6_DST, Criteria::matchIPv6Dst);
    transport(
        16,
        Criterion.Type.TCP_SRC,
        TcpPortCriterion.class,
        TcpPortCriterion::tcpPort,
        Criteria::matchTcpSrc);
    transport(
        17,
        Criterion.Type.TCP_DST,
        TcpPortCriterion.class,
        TcpPortCriterion::tcpPort,
        Criteria::matchTcpDst);
    transport(
        18,
        Criterion.Type.UDP_SRC,
        UdpPortCriterion.class,
        UdpPortCriterion::udpPort,
        Criteria::matchUdpSrc);
    transport(
        19,
        Criterion.Type.UDP_DST,
        UdpPortCriterion.class,
        UdpPortCriterion::udpPort,
        Criteria::matchUdpDst);
    transport(
        20,
        Criterion.Type.SCTP_SRC,
        SctpPortCriterion.class,
        SctpPortCriterion::sctpPort,
        Criteria::matchSctpSrc);
    transport(
        21,
        Criterion.Type.SCTP_DST,
        SctpPortCriterion.class,
        SctpPortCriterion::sctpPort,
        Criteria::matchSctpDst);
    small(
        22,
        Criterion.Type.ICMPV4_TYPE,
        IcmpTypeCriterion.class,
        c -> (int) c.icmpType(),
        v -> Criteria.matchIcmpType(v.shortValue()));
    small(
        23,
        Criterion.Type.ICMPV4_CODE,
        IcmpCodeCriterion.class,
        c -> (int) c.icmpCode(),
        v -> Criteria.matchIcmpCode(v.shortValue()));
    row(
        24,
        Criterion.Type.ARP_OP,
        ArpOpCriterion.class,
        ArpOpCriterion::arpOp,
        ByteWriter::int16,
        in -> Criteria.matchArpOp(in.uint16()));
    row(
        25,
        Criterion.Type.ARP_SPA,
        ArpPaCriterion.class,
        c -> c.ip().toInt(),
        ByteWriter::int32,
        in -> Criteria.matchArpSpa(Ip4Address.valueOf(in.int32())));
    row(
        26,
        Criterion.Type.ARP_TPA,
        ArpPaCriterion.class,
        c -> c.ip().toInt(),
        ByteWriter::int32,
        in -> Criteria.matchArpTpa(Ip4Address.valueOf(in.int32())));
    mac(
        27,
        Criterion.Type.ARP_SHA,
        ArpHaCriterion.class,
        ArpHaCriterion::mac,
        Criteria::matchArpSha);
    mac(
        28,
        Criterion.Type.ARP_THA,
        ArpHaCriterion.class,
        ArpHaCriterion::mac,
        Criteria::matchArpTha);
    row(
        29,
        Criterion.Type.METADATA,
        MetadataCriterion.class,
        MetadataCriterion::metadata,
        ByteWriter::int64,
        in -> Criteria.matchMetadata(in.int64()));
  }

  private SelectorCodec() {}

  /**
   * Writes a selector; equal selectors give equal bytes.
   *
   * @throws IllegalArgumentException naming the criterion that has no code
   */
  public static void write(TrafficSelector selector, ByteWriter out) {
    List<Criterion> criteria = new ArrayList<>(selector.criteria());
    criteria.sort(Comparator.comparing(Criterion::type));
    out.varint(criteria.size());
    for (Criterion criterion : criteria) {
      Row row = BY_TYPE.get(criterion.type());
      if (row == null) {
        throw new IllegalArgumentException(
            "criterion " + criterion.type() + " is not supported in intended rules");
      }
      out.int8(row.code());
      row.write().accept(criterion, out);
    }
  }

  /** Reads a selector. */
  public static TrafficSelector read(ByteReader in) {
    int count = in.count(MAX_CRITERIA, 2);
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (int i = 0; i < count; i++) {
      int code = in.uint8();
      Row row = BY_CODE.get(code);
      if (row == null) {
        throw new IllegalArgumentException("unknown criterion code " + code);
      }
      selector.add(row.read().apply(in));
    }
    return selector.build();
  }

  private static <C extends Criterion, V> void row(
      int code,
      Criterion.Type type,
      Class<C> shape,
      Function<C, V> value,
      BiConsumer<ByteWriter, V> write,
      Function<ByteReader, Criterion> read) {
    Row row =
        new Row(
            code,
            type,
            (criterion, out) -> write.accept(out, value.apply(shape.cast(criterion))),
            read);
    BY_TYPE.put(type, row);
    BY_CODE.put(code, row);
  }

  private static <C extends Criterion> void small(
      int code,
      Criterion.Type type,
      Class<C> shape,
      Function<C, Integer> value,
      Function<Integer, Criterion> make) {
    row(code, type, shape, value, ByteWriter::int8, in -> make.apply(in.uint8()));
  }

  private static <C extends Criterion> void mac(
      int code,
      Criterion.Type type,
      Class<C> shape,
      Function<C, MacAddress> value,
      Function<MacAddress, Criterion> make) {
    row(code, type, shape, value, SelectorCodec::mac, in -> make.apply(mac(in)));
  }

  private static void masked(
      int code, Criterion.Type type, BiFunction<MacAddress, MacAddress, Criterion> make) {
    Row row =
        new Row(
            code,
            type,
            (criterion, out) -> {
              EthCriterion eth = (EthCriterion) criterion;
              mac(out, eth.mac());
              mac(out, eth.mask());
            },
            in -> make.apply(mac(in), mac(in)));
    BY_TYPE.put(type, row);
    BY_CODE.put(code, row);
  }

  private static void prefix(int code, Criterion.Type type, Function<IpPrefix, Criterion> make) {
    row(
        code,
        type,
        IPCriterion.class,
        IPCriterion::ip,
        (out, prefix) -> {
          address(out, prefix.address());
          out.int8(prefix.prefixLength());
        },
        in -> make.apply(IpPrefix.valueOf(address(in), in.uint8())));
  }

  private static <C extends Criterion> void transport(
      int code,
      Criterion.Type type,
      Class<C> shape,
      Function<C, TpPort> value,
      Function<TpPort, Criterion> make) {
    row(
        code,
        type,
        shape,
        c -> value.apply(c).toInt(),
        ByteWriter::int16,
        in -> make.apply(TpPort.tpPort(in.uint16())));
  }

  static void port(ByteWriter out, PortNumber port) {
    out.int64(port.toLong());
  }

  static PortNumber port(ByteReader in) {
    return PortNumber.portNumber(in.int64());
  }

  static void mac(ByteWriter out, MacAddress mac) {
    out.raw(mac.toBytes());
  }

  static MacAddress mac(ByteReader in) {
    byte[] octets = new byte[MAC_BYTES];
    for (int i = 0; i < MAC_BYTES; i++) {
      octets[i] = (byte) in.uint8();
    }
    return MacAddress.valueOf(octets);
  }

  static void address(ByteWriter out, IpAddress address) {
    byte[] octets = address.toOctets();
    out.int8(octets.length).raw(octets);
  }

  static IpAddress address(ByteReader in) {
    int length = in.uint8();
    if (length != Ip4Address.BYTE_LENGTH && length != Ip6Address.BYTE_LENGTH) {
      throw new IllegalArgumentException("an IP address of " + length + " bytes");
    }
    byte[] octets = new byte[length];
    for (int i = 0; i < length; i++) {
      octets[i] = (byte) in.uint8();
    }
    return IpAddress.valueOf(
        length == Ip4Address.BYTE_LENGTH ? IpAddress.Version.INET : IpAddress.Version.INET6,
        octets);
  }
}
