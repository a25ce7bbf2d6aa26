package io.lockstep.core.flow.entry;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

/**
 * The prerequisites of fields: what a selector must match beside a field, so that every packet it
 * matches has that field (OpenFlow 1.3.5 section 7.2.3.8, table 12). A switch answers BAD_PREREQ
 * where one is missing. Pure.
 */
final class Prerequisites {
  private Prerequisites() {}

  /**
   * Names the first field that lacks a prerequisite.
   *
   * @param match of the selector
   * @return a sentence with the field and what it needs; null where all prerequisites are there
   */
  static @Nullable String missing(TernaryMatch match, TrafficSelector selector) {
    for (Criterion criterion : selector.criteria()) {
      String needed = neededBy(criterion.type(), match);
      if (needed != null) {
        return "a match on " + criterion.type() + " needs one on " + needed + " beside it";
      }
    }
    return null;
  }

  private static @Nullable String neededBy(Criterion.Type type, TernaryMatch match) {
    boolean ipv4 = hasEthType(match, HeaderValues.IPV4);
    return switch (type) {
      case VLAN_PCP ->
          unless((match.value(HeaderField.VLAN_VID) & HeaderValues.TAGGED) != 0, "a vlan_vid");
      case IP_DSCP, IP_ECN, IP_PROTO ->
          unless(ipv4 || hasEthType(match, HeaderValues.IPV6), "eth_type 0x800 or 0x86dd");
      case IPV4_SRC, IPV4_DST -> unless(ipv4, "eth_type 0x800");
      case IPV6_SRC, IPV6_DST -> unless(hasEthType(match, HeaderValues.IPV6), "eth_type 0x86dd");
      case ARP_OP, ARP_SPA, ARP_TPA ->
          unless(hasEthType(match, HeaderValues.ARP), "eth_type 0x806");
      case TCP_SRC, TCP_DST -> unless(hasProtocol(match, HeaderValues.TCP), "ip_proto 6");
      case UDP_SRC, UDP_DST -> unless(hasProtocol(match, HeaderValues.UDP), "ip_proto 17");
      case SCTP_SRC, SCTP_DST -> unless(hasProtocol(match, HeaderValues.SCTP), "ip_proto 132");
      case ICMPV4_TYPE, ICMPV4_CODE ->
          unless(ipv4 && hasProtocol(match, HeaderValues.ICMP), "eth_type 0x800 and ip_proto 1");
      default -> null;
    };
  }

  private static @Nullable String unless(boolean present, String needed) {
    return present ? null : needed;
  }

  private static boolean hasEthType(TernaryMatch match, int type) {
    return match.mask(HeaderField.ETH_TYPE) != 0 && match.value(HeaderField.ETH_TYPE) == type;
  }

  private static boolean hasProtocol(TernaryMatch match, int protocol) {
    return match.mask(HeaderField.IP_PROTO) != 0 && match.value(HeaderField.IP_PROTO) == protocol;
  }
}
