package io.lockstep.dataplane.packet;

/** The EtherTypes and IP protocol numbers that the model parses. */
public final class EtherTypes {
  public static final int IPV4 = 0x0800;
  public static final int ARP = 0x0806;
  public static final int VLAN = 0x8100;
  public static final int IPV6 = 0x86dd;
  public static final int SERVICE_VLAN = 0x88a8;

  /** What a frame without an EtherType (802.3 with a length) matches as. */
  public static final int NONE = 0x05ff;

  public static final int PROTO_ICMP = 1;
  public static final int PROTO_TCP = 6;
  public static final int PROTO_UDP = 17;
  public static final int PROTO_ICMPV6 = 58;

  private EtherTypes() {}

  static boolean isVlan(int etherType) {
    return etherType == VLAN || etherType == SERVICE_VLAN;
  }
}
