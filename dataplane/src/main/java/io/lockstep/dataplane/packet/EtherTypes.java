package io.lockstep.dataplane.packet;

/** The EtherTypes and IP protocol numbers that the model parses. */
public final class EtherTypes {
  public static final int IPV4 = 0x0800;
  public static final int ARP = 0x0806;
  public static final int VLAN = 0x8100;
  public static final int IPV6 = 0x86dd;
  public static final int MPLS = 0x8847;
  public static final int MPLS_MULTICAST = 0x8848;
  public static final int SERVICE_VLAN = 0x88a8;

  /** What an 802.3 frame without a SNAP header matches as (OpenFlow 1.0 section 3.1, table 3). */
  public static final int NONE = 0x05ff;

  /** The first EtherType; what is less is the length of an 802.3 frame. */
  public static final int LEAST = 0x0600;

  public static final int PROTO_ICMP = 1;
  public static final int PROTO_TCP = 6;
  public static final int PROTO_UDP = 17;
  public static final int PROTO_ICMPV6 = 58;
  public static final int PROTO_SCTP = 132;

  /** ICMPv6: neighbour solicitation and advertisement (RFC 4861 section 4). */
  public static final int NEIGHBOUR_SOLICITATION = 135;

  public static final int NEIGHBOUR_ADVERTISEMENT = 136;

  private EtherTypes() {}

  /** Whether what follows is a stack of labels. */
  public static boolean isMpls(int etherType) {
    return etherType == MPLS || etherType == MPLS_MULTICAST;
  }

  static boolean isVlan(int etherType) {
    return etherType == VLAN || etherType == SERVICE_VLAN;
  }
}
