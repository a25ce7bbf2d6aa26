package io.lockstep.core.flow.entry;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.IpPrefix;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.ArpOpCriterion;
import org.onosproject.net.flow.criteria.ArpPaCriterion;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.EthCriterion;
import org.onosproject.net.flow.criteria.EthTypeCriterion;
import org.onosproject.net.flow.criteria.IPCriterion;
import org.onosproject.net.flow.criteria.IPDscpCriterion;
import org.onosproject.net.flow.criteria.IPEcnCriterion;
import org.onosproject.net.flow.criteria.IPProtocolCriterion;
import org.onosproject.net.flow.criteria.IcmpCodeCriterion;
import org.onosproject.net.flow.criteria.IcmpTypeCriterion;
import org.onosproject.net.flow.criteria.PortCriterion;
import org.onosproject.net.flow.criteria.SctpPortCriterion;
import org.onosproject.net.flow.criteria.TcpPortCriterion;
import org.onosproject.net.flow.criteria.UdpPortCriterion;
import org.onosproject.net.flow.criteria.VlanIdCriterion;
import org.onosproject.net.flow.criteria.VlanPcpCriterion;

/**
 * Translates selectors into matches of the header space, without loss. Rejects a selector that the
 * space cannot express. Also rejects a selector that lacks a prerequisite of one of its fields
 * (OpenFlow 1.3.5 section 7.2.3.8, table 12): the space would take a packet without the field for
 * one whose field is 0. Two selectors that match the same packets, such as one with a prefix of
 * length 0 and one without, give one match. Pure and thread-safe.
 */
public final class HeaderSpace {
  private static final long PORT_MASK = 0xffff_ffffL;

  private record Row(HeaderField field, Function<Criterion, Number> value) {}

  private static final Map<Criterion.Type, Row> ROWS = new EnumMap<>(Criterion.Type.class);

  static {
    row(Criterion.Type.IN_PORT, HeaderField.IN_PORT, c -> port(((PortCriterion) c)));
    row(Criterion.Type.ETH_DST, HeaderField.ETH_DST, c -> ((EthCriterion) c).mac().toLong());
    row(Criterion.Type.ETH_SRC, HeaderField.ETH_SRC, c -> ((EthCriterion) c).mac().toLong());
    row(
        Criterion.Type.ETH_TYPE,
        HeaderField.ETH_TYPE,
        c -> Short.toUnsignedInt(((EthTypeCriterion) c).ethType().toShort()));
    row(Criterion.Type.VLAN_PCP, HeaderField.VLAN_PCP, c -> ((VlanPcpCriterion) c).priority());
    row(Criterion.Type.IP_DSCP, HeaderField.IP_DSCP, c -> ((IPDscpCriterion) c).ipDscp());
    row(Criterion.Type.IP_ECN, HeaderField.IP_ECN, c -> ((IPEcnCriterion) c).ipEcn());
    row(Criterion.Type.IP_PROTO, HeaderField.IP_PROTO, c -> ((IPProtocolCriterion) c).protocol());
    row(Criterion.Type.TCP_SRC, HeaderField.L4_SRC, c -> ((TcpPortCriterion) c).tcpPort().toInt());
    row(Criterion.Type.TCP_DST, HeaderField.L4_DST, c -> ((TcpPortCriterion) c).tcpPort().toInt());
    row(Criterion.Type.UDP_SRC, HeaderField.L4_SRC, c -> ((UdpPortCriterion) c).udpPort().toInt());
    row(Criterion.Type.UDP_DST, HeaderField.L4_DST, c -> ((UdpPortCriterion) c).udpPort().toInt());
    row(
        Criterion.Type.SCTP_SRC,
        HeaderField.L4_SRC,
        c -> ((SctpPortCriterion) c).sctpPort().toInt());
    row(
        Criterion.Type.SCTP_DST,
        HeaderField.L4_DST,
        c -> ((SctpPortCriterion) c).sctpPort().toInt());
    row(Criterion.Type.ICMPV4_TYPE, HeaderField.ICMP_TYPE, c -> ((IcmpTypeCriterion) c).icmpType());
    row(Criterion.Type.ICMPV4_CODE, HeaderField.ICMP_CODE, c -> ((IcmpCodeCriterion) c).icmpCode());
    row(Criterion.Type.ARP_OP, HeaderField.ARP_OP, c -> ((ArpOpCriterion) c).arpOp());
    row(Criterion.Type.ARP_SPA, HeaderField.ARP_SPA, c -> ((ArpPaCriterion) c).ip().toInt());
    row(Criterion.Type.ARP_TPA, HeaderField.ARP_TPA, c -> ((ArpPaCriterion) c).ip().toInt());
  }

  private HeaderSpace() {}

  /** The header space cannot express a selector; the message names the field. */
  public static final class Inexpressible extends Exception {
    private static final long serialVersionUID = 1;

    /** With what the space cannot express. */
    public Inexpressible(String message) {
      super(message, null, false, false);
    }
  }

  private static void row(
      Criterion.Type type, HeaderField field, Function<Criterion, Number> value) {
    ROWS.put(type, new Row(field, value));
  }

  private static long port(PortCriterion criterion) {
    return criterion.port().toLong() & PORT_MASK;
  }

  /**
   * The match of a selector.
   *
   * @throws Inexpressible naming the field
   */
  public static TernaryMatch match(TrafficSelector selector) throws Inexpressible {
    TernaryMatch match = TernaryMatch.any();
    for (Criterion criterion : selector.criteria()) {
      match = with(match, criterion);
    }
    String missing = Prerequisites.missing(match, selector);
    if (missing != null) {
      throw new Inexpressible(missing);
    }
    return match;
  }

  /**
   * What a selector must match beside one of its fields, as a sentence; null where nothing is
   * missing.
   */
  public static @Nullable String missingPrerequisite(TrafficSelector selector) {
    TernaryMatch match = TernaryMatch.any();
    for (Criterion criterion : selector.criteria()) {
      try {
        match = with(match, criterion);
      } catch (Inexpressible e) {
        // No field that the space cannot express is a prerequisite of another: left out.
      }
    }
    return Prerequisites.missing(match, selector);
  }

  private static TernaryMatch with(TernaryMatch match, Criterion criterion) throws Inexpressible {
    Row row = ROWS.get(criterion.type());
    if (row != null) {
      return once(match, row.field(), row.value().apply(criterion).longValue(), -1L);
    }
    return switch (criterion.type()) {
      case ETH_DST_MASKED -> masked(match, HeaderField.ETH_DST, (EthCriterion) criterion);
      case ETH_SRC_MASKED -> masked(match, HeaderField.ETH_SRC, (EthCriterion) criterion);
      case VLAN_VID -> vlan(match, (VlanIdCriterion) criterion);
      case IPV4_SRC -> ipv4(match, HeaderField.IPV4_SRC, (IPCriterion) criterion);
      case IPV4_DST -> ipv4(match, HeaderField.IPV4_DST, (IPCriterion) criterion);
      case IPV6_SRC ->
          ipv6(match, HeaderField.IPV6_SRC_HIGH, HeaderField.IPV6_SRC_LOW, (IPCriterion) criterion);
      case IPV6_DST ->
          ipv6(match, HeaderField.IPV6_DST_HIGH, HeaderField.IPV6_DST_LOW, (IPCriterion) criterion);
      default ->
          throw new Inexpressible(
              "a match on " + criterion.type() + " cannot be placed in bounded tables");
    };
  }

  /** A match has one condition for each field, so two criteria for one field are rejected. */
  private static TernaryMatch once(TernaryMatch match, HeaderField field, long value, long mask)
      throws Inexpressible {
    if (match.mask(field) != 0) {
      throw new Inexpressible(field.label() + " is matched twice");
    }
    return match.with(field, value & field.full(), mask & field.full());
  }

  private static TernaryMatch masked(TernaryMatch match, HeaderField field, EthCriterion criterion)
      throws Inexpressible {
    return once(match, field, criterion.mac().toLong(), criterion.mask().toLong());
  }

  private static TernaryMatch vlan(TernaryMatch match, VlanIdCriterion criterion)
      throws Inexpressible {
    int vlan = Short.toUnsignedInt(criterion.vlanId().toShort());
    if (criterion.vlanId().equals(org.onlab.packet.VlanId.ANY)) {
      return once(match, HeaderField.VLAN_VID, HeaderValues.TAGGED, HeaderValues.TAGGED);
    }
    return criterion.vlanId().equals(org.onlab.packet.VlanId.NONE)
        ? once(match, HeaderField.VLAN_VID, 0, -1L)
        : once(match, HeaderField.VLAN_VID, HeaderValues.TAGGED | vlan, -1L);
  }

  private static TernaryMatch ipv4(TernaryMatch match, HeaderField field, IPCriterion criterion)
      throws Inexpressible {
    IpPrefix prefix = criterion.ip();
    if (!prefix.isIp4()) {
      throw new Inexpressible(field.label() + " with the address " + prefix);
    }
    long address = prefix.address().getIp4Address().toInt();
    return once(match, field, address, high(prefix.prefixLength(), 32));
  }

  private static TernaryMatch ipv6(
      TernaryMatch match, HeaderField high, HeaderField low, IPCriterion criterion)
      throws Inexpressible {
    IpPrefix prefix = criterion.ip();
    if (!prefix.isIp6()) {
      throw new Inexpressible(high.label() + " with the address " + prefix);
    }
    ByteBuffer octets = ByteBuffer.wrap(prefix.address().toOctets());
    int length = prefix.prefixLength();
    TernaryMatch half = once(match, high, octets.getLong(), high(Math.min(64, length), 64));
    return once(half, low, octets.getLong(), high(Math.max(0, length - 64), 64));
  }

  /** A mask of the first {@code bits} of a field of {@code width} bits. */
  static long high(int bits, int width) {
    return bits == 0 ? 0 : -1L << (width - bits);
  }
}
