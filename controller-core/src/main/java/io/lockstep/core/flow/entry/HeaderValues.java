package io.lockstep.core.flow.entry;

/** Values of header fields that decide which other fields a packet has. */
final class HeaderValues {
  /** EtherType of IPv4. */
  static final int IPV4 = 0x0800;

  /** EtherType of IPv6. */
  static final int IPV6 = 0x86dd;

  /** EtherType of ARP. */
  static final int ARP = 0x0806;

  /** Protocol number of ICMP. */
  static final int ICMP = 1;

  /** Protocol number of TCP. */
  static final int TCP = 6;

  /** Protocol number of UDP. */
  static final int UDP = 17;

  /** Protocol number of SCTP. */
  static final int SCTP = 132;

  /** OFPVID_PRESENT, the bit of vlan_vid that every tagged packet has. */
  static final int TAGGED = 0x1000;

  private HeaderValues() {}
}
