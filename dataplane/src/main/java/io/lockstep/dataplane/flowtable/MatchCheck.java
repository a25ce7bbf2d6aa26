package io.lockstep.dataplane.flowtable;

import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.OxmField;
import java.util.Optional;

/** The rules a match must keep before it may enter a table (OpenFlow 1.3.5 section 7.2.3.6 ff.). */
public final class MatchCheck {
  private MatchCheck() {}

  /** The error for the first rule broken, empty when the match is good. */
  public static Optional<ModelError> refusal(FlowMatch match) {
    for (OxmField field : OxmField.values()) {
      if (!match.uses(field)) {
        continue;
      }
      if ((match.mask(field.slot()) & ~field.fullMask()) != 0) {
        return Optional.of(ModelError.BAD_VALUE);
      }
      if (!match.isExact(field) && !field.maskable()) {
        return Optional.of(ModelError.BAD_MASK);
      }
      if (field == OxmField.VLAN_VID && !isVlanValue(match)) {
        return Optional.of(ModelError.BAD_VALUE);
      }
      if (!prerequisiteHolds(match, field)) {
        return Optional.of(ModelError.BAD_PREREQUISITE);
      }
    }
    return Optional.empty();
  }

  /**
   * Untagged is all zero; an id that is compared in every bit must say that a tag is present
   * (section 7.2.3.8, table 12). A mask that leaves that bit open compares some bits of the id.
   */
  private static boolean isVlanValue(FlowMatch match) {
    long value = match.value(OxmField.VLAN_VID.slot());
    boolean comparesPresence = (match.mask(OxmField.VLAN_VID.slot()) & OxmField.VLAN_PRESENT) != 0;
    return value == 0 || !comparesPresence || (value & OxmField.VLAN_PRESENT) != 0;
  }

  /** Whether only packets with a tag can match: what no untagged packet has is asked for. */
  static boolean isTagged(FlowMatch match) {
    return match.value(OxmField.VLAN_VID.slot()) != 0;
  }

  /** Table 11 of section 7.2.3.7. */
  static boolean prerequisiteHolds(FlowMatch match, OxmField field) {
    return switch (field) {
      case IN_PORT, METADATA, ETH_DST, ETH_SRC, ETH_TYPE, VLAN_VID -> true;
      case VLAN_PCP -> isTagged(match);
      case IP_DSCP, IP_ECN, IP_PROTO ->
          isType(match, EtherTypes.IPV4) || isType(match, EtherTypes.IPV6);
      case IPV4_SRC, IPV4_DST -> isType(match, EtherTypes.IPV4);
      case IPV6_SRC, IPV6_DST, IPV6_FLABEL -> isType(match, EtherTypes.IPV6);
      case TCP_SRC, TCP_DST -> isProto(match, EtherTypes.PROTO_TCP);
      case UDP_SRC, UDP_DST -> isProto(match, EtherTypes.PROTO_UDP);
      case ICMPV4_TYPE, ICMPV4_CODE ->
          isType(match, EtherTypes.IPV4) && isProto(match, EtherTypes.PROTO_ICMP);
      case ICMPV6_TYPE, ICMPV6_CODE ->
          isType(match, EtherTypes.IPV6) && isProto(match, EtherTypes.PROTO_ICMPV6);
      case SCTP_SRC, SCTP_DST -> isProto(match, EtherTypes.PROTO_SCTP);
      case IPV6_ND_TARGET ->
          isNeighbour(match, EtherTypes.NEIGHBOUR_SOLICITATION)
              || isNeighbour(match, EtherTypes.NEIGHBOUR_ADVERTISEMENT);
      case IPV6_ND_SLL -> isNeighbour(match, EtherTypes.NEIGHBOUR_SOLICITATION);
      case IPV6_ND_TLL -> isNeighbour(match, EtherTypes.NEIGHBOUR_ADVERTISEMENT);
      case MPLS_LABEL, MPLS_TC, MPLS_BOS ->
          isType(match, EtherTypes.MPLS) || isType(match, EtherTypes.MPLS_MULTICAST);
      case ARP_OP, ARP_SPA, ARP_TPA, ARP_SHA, ARP_THA -> isType(match, EtherTypes.ARP);
    };
  }

  private static boolean isType(FlowMatch match, int etherType) {
    return match.isExact(OxmField.ETH_TYPE) && match.value(OxmField.ETH_TYPE.slot()) == etherType;
  }

  private static boolean isNeighbour(FlowMatch match, int icmpType) {
    return isType(match, EtherTypes.IPV6)
        && isProto(match, EtherTypes.PROTO_ICMPV6)
        && match.isExact(OxmField.ICMPV6_TYPE)
        && match.value(OxmField.ICMPV6_TYPE.slot()) == icmpType;
  }

  private static boolean isProto(FlowMatch match, int proto) {
    return match.isExact(OxmField.IP_PROTO) && match.value(OxmField.IP_PROTO.slot()) == proto;
  }
}
