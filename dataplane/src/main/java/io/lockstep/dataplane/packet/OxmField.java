package io.lockstep.dataplane.packet;

/**
 * The match fields the switch model understands, in the order of their OXM numbers (OpenFlow 1.3.5
 * section 7.2.3.7). A field occupies one slot of 64 bits, the IPv6 addresses two (high half first),
 * so that a set of fields is a plain {@code long[]} of {@link #SLOTS} words.
 */
public enum OxmField {
  IN_PORT(0, 32, 0, Masking.NONE, Layer.PIPELINE),
  METADATA(2, 64, 1, Masking.ALLOWED, Layer.PIPELINE),
  ETH_DST(3, 48, 2, Masking.ALLOWED, Layer.LINK),
  ETH_SRC(4, 48, 3, Masking.ALLOWED, Layer.LINK),
  ETH_TYPE(5, 16, 4, Masking.NONE, Layer.LINK),
  VLAN_VID(6, 13, 5, Masking.ALLOWED, Layer.LINK),
  VLAN_PCP(7, 3, 6, Masking.NONE, Layer.LINK),
  IP_DSCP(8, 6, 7, Masking.NONE, Layer.NETWORK),
  IP_ECN(9, 2, 8, Masking.NONE, Layer.NETWORK),
  IP_PROTO(10, 8, 9, Masking.NONE, Layer.NETWORK),
  IPV4_SRC(11, 32, 10, Masking.ALLOWED, Layer.NETWORK),
  IPV4_DST(12, 32, 11, Masking.ALLOWED, Layer.NETWORK),
  TCP_SRC(13, 16, 12, Masking.NONE, Layer.TRANSPORT),
  TCP_DST(14, 16, 13, Masking.NONE, Layer.TRANSPORT),
  UDP_SRC(15, 16, 14, Masking.NONE, Layer.TRANSPORT),
  UDP_DST(16, 16, 15, Masking.NONE, Layer.TRANSPORT),
  SCTP_SRC(17, 16, 29, Masking.NONE, Layer.TRANSPORT),
  SCTP_DST(18, 16, 30, Masking.NONE, Layer.TRANSPORT),
  ICMPV4_TYPE(19, 8, 16, Masking.NONE, Layer.TRANSPORT),
  ICMPV4_CODE(20, 8, 17, Masking.NONE, Layer.TRANSPORT),
  ARP_OP(21, 16, 18, Masking.NONE, Layer.NETWORK),
  ARP_SPA(22, 32, 19, Masking.ALLOWED, Layer.NETWORK),
  ARP_TPA(23, 32, 20, Masking.ALLOWED, Layer.NETWORK),
  ARP_SHA(24, 48, 21, Masking.ALLOWED, Layer.NETWORK),
  ARP_THA(25, 48, 22, Masking.ALLOWED, Layer.NETWORK),
  IPV6_SRC(26, 128, 23, Masking.ALLOWED, Layer.NETWORK),
  IPV6_DST(27, 128, 25, Masking.ALLOWED, Layer.NETWORK),
  IPV6_FLABEL(28, 20, 31, Masking.ALLOWED, Layer.NETWORK),
  ICMPV6_TYPE(29, 8, 27, Masking.NONE, Layer.TRANSPORT),
  ICMPV6_CODE(30, 8, 28, Masking.NONE, Layer.TRANSPORT),
  IPV6_ND_TARGET(31, 128, 32, Masking.NONE, Layer.TRANSPORT),
  IPV6_ND_SLL(32, 48, 34, Masking.NONE, Layer.TRANSPORT),
  IPV6_ND_TLL(33, 48, 35, Masking.NONE, Layer.TRANSPORT),
  MPLS_LABEL(34, 20, 36, Masking.NONE, Layer.NETWORK),
  MPLS_TC(35, 3, 37, Masking.NONE, Layer.NETWORK),
  MPLS_BOS(36, 1, 38, Masking.NONE, Layer.NETWORK);

  /** Words of 64 bits that hold one value of every field. */
  public static final int SLOTS = 39;

  /** VLAN_VID's bit 12: the frame carries a tag (OFPVID_PRESENT). */
  public static final int VLAN_PRESENT = 0x1000;

  private static final OxmField[] BY_SLOT = new OxmField[SLOTS];

  static {
    for (OxmField field : values()) {
      for (int i = 0; i < field.words(); i++) {
        BY_SLOT[field.slot + i] = field;
      }
    }
  }

  private final int oxmNumber;
  private final int bits;
  private final boolean maskable;
  private final Layer layer;
  private final int slot;

  OxmField(int oxmNumber, int bits, int slot, Masking masking, Layer layer) {
    this.oxmNumber = oxmNumber;
    this.bits = bits;
    this.slot = slot;
    this.maskable = masking == Masking.ALLOWED;
    this.layer = layer;
  }

  /** The field that owns a slot, 0 to {@link #SLOTS} - 1. */
  public static OxmField ofSlot(int slot) {
    return BY_SLOT[slot];
  }

  /** The field's number in class OFPXMC_OPENFLOW_BASIC. */
  public int oxmNumber() {
    return oxmNumber;
  }

  /** Width in bits: 1 to 128. */
  public int bits() {
    return bits;
  }

  /** Whether the specification lets a match carry a mask for this field. */
  public boolean maskable() {
    return maskable;
  }

  /** How deep a frame must be parsed for this field. */
  public Layer layer() {
    return layer;
  }

  /** Index of the first of the field's words. */
  public int slot() {
    return slot;
  }

  /** Words the field occupies: 2 for the IPv6 addresses, else 1. */
  public int words() {
    return bits > 64 ? 2 : 1;
  }

  /** The mask that compares every bit, for one word of the field. */
  public long fullMask() {
    return bits >= 64 ? -1L : (1L << bits) - 1;
  }

  /** The depth of parsing, outermost first. */
  public enum Layer {
    /** Not in the frame at all. */
    PIPELINE,
    LINK,
    NETWORK,
    TRANSPORT
  }

  private enum Masking {
    NONE,
    ALLOWED
  }
}
