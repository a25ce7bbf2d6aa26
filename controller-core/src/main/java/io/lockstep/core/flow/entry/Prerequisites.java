package io.lockstep.core.flow.entry;

import io.lockstep.core.flow.entry.HeaderSpace.Inexpressible;
import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.criteria.Criterion;

/**
 * The prerequisites of fields: what a selector must match beside a field, so that every packet it
 * matches has that field (OpenFlow 1.3.5 section 7.2.3.8, table 12). A switch answers BAD_PREREQ
 * where one is missing.
 */
final class Prerequisites {
  private Prerequisites() {}

  static void check(TernaryMatch match, TrafficSelector selector) throws Inexpressible {
    for (Criterion criterion : selector.criteria()) {
      check(match, criterion);
    }
  }

  private static void check(TernaryMatch match, Criterion criterion) throws Inexpressible {
    Criterion.Type type = criterion.type();
    switch (type) {
      case VLAN_PCP ->
          demand((match.value(HeaderField.VLAN_VID) & HeaderSpace.TAGGED) != 0, type, "a vlan_vid");
      case IP_DSCP, IP_ECN, IP_PROTO ->
          demand(
              ethType(match, HeaderSpace.IPV4) || ethType(match, HeaderSpace.IPV6),
              type,
              "eth_type 0x800 or 0x86dd");
      case IPV4_SRC, IPV4_DST -> demand(ethType(match, HeaderSpace.IPV4), type, "eth_type 0x800");
      case IPV6_SRC, IPV6_DST -> demand(ethType(match, HeaderSpace.IPV6), type, "eth_type 0x86dd");
      case ARP_OP, ARP_SPA, ARP_TPA ->
          demand(ethType(match, HeaderSpace.ARP), type, "eth_type 0x806");
      case TCP_SRC, TCP_DST -> demand(protocol(match, HeaderSpace.TCP), type, "ip_proto 6");
      case UDP_SRC, UDP_DST -> demand(protocol(match, HeaderSpace.UDP), type, "ip_proto 17");
      case SCTP_SRC, SCTP_DST -> demand(protocol(match, HeaderSpace.SCTP), type, "ip_proto 132");
      case ICMPV4_TYPE, ICMPV4_CODE ->
          demand(
              protocol(match, HeaderSpace.ICMP) && ethType(match, HeaderSpace.IPV4),
              type,
              "eth_type 0x800 and ip_proto 1");
      default -> {}
    }
  }

  private static boolean ethType(TernaryMatch match, int type) {
    return match.mask(HeaderField.ETH_TYPE) != 0 && match.value(HeaderField.ETH_TYPE) == type;
  }

  private static boolean protocol(TernaryMatch match, int protocol) {
    return match.mask(HeaderField.IP_PROTO) != 0 && match.value(HeaderField.IP_PROTO) == protocol;
  }

  private static void demand(boolean there, Criterion.Type type, String what) throws Inexpressible {
    if (!there) {
      throw new Inexpressible("a match on " + type + " needs one on " + what + " beside it");
    }
  }
}
