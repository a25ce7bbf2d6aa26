package io.lockstep.core.flow.entry;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import java.nio.ByteBuffer;
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
import org.onosproject.net.flow.criteria.Criteria;
import org.onosproject.net.flow.criteria.Criterion;

/** Translates a match of the header space into the selector that matches the same packets. */
public final class SelectorFromMatch {
  private SelectorFromMatch() {}

  /**
   * The selector that matches exactly these packets. Also takes intersections of matches.
   *
   * @throws IllegalArgumentException for a match that no selector expresses
   */
  public static TrafficSelector of(TernaryMatch match) {
    if (match.opaque() != null) {
      throw new IllegalArgumentException("no selector expresses " + match);
    }
    TrafficSelector.Builder selector = DefaultTrafficSelector.builder();
    for (HeaderField field : HeaderField.values()) {
      if ((match.fields() & field.bit()) != 0) {
        add(match, field, selector);
      }
    }
    return selector.build();
  }

  private static void add(TernaryMatch match, HeaderField field, TrafficSelector.Builder selector) {
    long value = match.value(field);
    switch (field) {
      case ETH_DST, ETH_SRC -> selector.add(mac(match, field));
      case VLAN_VID -> selector.add(Criteria.matchVlanId(vlan(match)));
      case IPV4_SRC -> selector.add(Criteria.matchIPSrc(ipv4(match, field)));
      case IPV4_DST -> selector.add(Criteria.matchIPDst(ipv4(match, field)));
      case IPV6_SRC_HIGH, IPV6_DST_HIGH -> selector.add(ipv6(match, field));
      case IPV6_SRC_LOW -> requireHigh(match, HeaderField.IPV6_SRC_HIGH);
      case IPV6_DST_LOW -> requireHigh(match, HeaderField.IPV6_DST_HIGH);
      case OPAQUE -> throw new IllegalArgumentException("no selector expresses " + match);
      default -> {
        requireExact(match, field);
        selector.add(exact(match, field, value));
      }
    }
  }

  private static Criterion exact(TernaryMatch match, HeaderField field, long value) {
    return switch (field) {
      case IN_PORT -> Criteria.matchInPort(PortNumber.portNumber(value));
      case ETH_TYPE -> Criteria.matchEthType((int) value);
      case VLAN_PCP -> Criteria.matchVlanPcp((byte) value);
      case IP_DSCP -> Criteria.matchIPDscp((byte) value);
      case IP_ECN -> Criteria.matchIPEcn((byte) value);
      case IP_PROTO -> Criteria.matchIPProtocol((short) value);
      case L4_SRC, L4_DST -> port(match, TpPort.tpPort((int) value), field == HeaderField.L4_SRC);
      case ICMP_TYPE -> Criteria.matchIcmpType((short) value);
      case ICMP_CODE -> Criteria.matchIcmpCode((short) value);
      case ARP_OP -> Criteria.matchArpOp((int) value);
      case ARP_SPA -> Criteria.matchArpSpa(Ip4Address.valueOf((int) value));
      case ARP_TPA -> Criteria.matchArpTpa(Ip4Address.valueOf((int) value));
      default -> throw new IllegalArgumentException("no selector expresses " + match);
    };
  }

  private static Criterion port(TernaryMatch match, TpPort port, boolean source) {
    return switch ((int) match.value(HeaderField.IP_PROTO)) {
      case HeaderValues.TCP -> source ? Criteria.matchTcpSrc(port) : Criteria.matchTcpDst(port);
      case HeaderValues.UDP -> source ? Criteria.matchUdpSrc(port) : Criteria.matchUdpDst(port);
      case HeaderValues.SCTP -> source ? Criteria.matchSctpSrc(port) : Criteria.matchSctpDst(port);
      default -> throw new IllegalArgumentException("ports of which protocol? " + match);
    };
  }

  private static Criterion mac(TernaryMatch match, HeaderField field) {
    MacAddress value = MacAddress.valueOf(match.value(field));
    boolean exact = match.mask(field) == field.full();
    MacAddress mask = MacAddress.valueOf(match.mask(field));
    if (field == HeaderField.ETH_DST) {
      return exact ? Criteria.matchEthDst(value) : Criteria.matchEthDstMasked(value, mask);
    }
    return exact ? Criteria.matchEthSrc(value) : Criteria.matchEthSrcMasked(value, mask);
  }

  private static VlanId vlan(TernaryMatch match) {
    long value = match.value(HeaderField.VLAN_VID);
    long mask = match.mask(HeaderField.VLAN_VID);
    if (mask == HeaderValues.TAGGED && value == HeaderValues.TAGGED) {
      return VlanId.ANY;
    }
    requireExact(match, HeaderField.VLAN_VID);
    return value == 0 ? VlanId.NONE : VlanId.vlanId((short) (value & 0xfff));
  }

  private static IpPrefix ipv4(TernaryMatch match, HeaderField field) {
    int bits = Long.bitCount(match.mask(field));
    if (match.mask(field) != (HeaderSpace.high(bits, 32) & field.full())) {
      throw new IllegalArgumentException("no prefix: " + match);
    }
    return IpPrefix.valueOf(Ip4Address.valueOf((int) match.value(field)), bits);
  }

  private static Criterion ipv6(TernaryMatch match, HeaderField high) {
    boolean source = high == HeaderField.IPV6_SRC_HIGH;
    HeaderField low = source ? HeaderField.IPV6_SRC_LOW : HeaderField.IPV6_DST_LOW;
    int front = Long.bitCount(match.mask(high));
    int back = Long.bitCount(match.mask(low));
    boolean prefix =
        match.mask(high) == HeaderSpace.high(front, 64)
            && match.mask(low) == HeaderSpace.high(back, 64)
            && (back == 0 || front == 64);
    if (!prefix) {
      throw new IllegalArgumentException("no prefix: " + match);
    }
    byte[] octets =
        ByteBuffer.allocate(16).putLong(match.value(high)).putLong(match.value(low)).array();
    IpAddress address = Ip6Address.valueOf(octets);
    IpPrefix whole = IpPrefix.valueOf(address, front + back);
    return source ? Criteria.matchIPv6Src(whole) : Criteria.matchIPv6Dst(whole);
  }

  private static void requireHigh(TernaryMatch match, HeaderField high) {
    if (match.mask(high) == 0) {
      throw new IllegalArgumentException("no prefix: " + match);
    }
  }

  private static void requireExact(TernaryMatch match, HeaderField field) {
    if (match.mask(field) != field.full()) {
      throw new IllegalArgumentException("no selector expresses " + match);
    }
  }
}
