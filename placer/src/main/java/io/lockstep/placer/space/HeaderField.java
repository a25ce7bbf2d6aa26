package io.lockstep.placer.space;

import java.util.Locale;

/**
 * A field on which a rule can match, see OpenFlow 1.3.5 section 7.2.3.7. A packet has a value for
 * each; one that it does not carry is 0 (so {@link #VLAN_VID} without OFPVID_PRESENT is an untagged
 * frame). Ports are those of TCP, UDP or SCTP, told apart by {@link #IP_PROTO}.
 */
public enum HeaderField {
  IN_PORT(32),
  ETH_DST(48),
  ETH_SRC(48),
  ETH_TYPE(16),
  /** With the bit OFPVID_PRESENT (0x1000). */
  VLAN_VID(13),
  VLAN_PCP(3),
  IP_DSCP(6),
  IP_ECN(2),
  IP_PROTO(8),
  IPV4_SRC(32),
  IPV4_DST(32),
  L4_SRC(16),
  L4_DST(16),
  ICMP_TYPE(8),
  ICMP_CODE(8),
  ARP_OP(16),
  ARP_SPA(32),
  ARP_TPA(32),
  IPV6_SRC_HIGH(64),
  IPV6_SRC_LOW(64),
  IPV6_DST_HIGH(64),
  IPV6_DST_LOW(64),
  /**
   * Stands for conditions that the placer does not understand, and has no value. The last field.
   */
  OPAQUE(0);

  /** The fields that an entry can set, a bit each (OpenFlow 1.3.5 section 5.12). */
  public static final int REWRITABLE =
      ETH_DST.bit()
          | ETH_SRC.bit()
          | VLAN_VID.bit()
          | VLAN_PCP.bit()
          | IP_DSCP.bit()
          | IP_ECN.bit()
          | IPV4_SRC.bit()
          | IPV4_DST.bit()
          | L4_SRC.bit()
          | L4_DST.bit()
          | IPV6_SRC_HIGH.bit()
          | IPV6_SRC_LOW.bit()
          | IPV6_DST_HIGH.bit()
          | IPV6_DST_LOW.bit();

  private final int widthBits;

  HeaderField(int widthBits) {
    this.widthBits = widthBits;
  }

  /** Bits of the field's value. */
  public int widthBits() {
    return widthBits;
  }

  /** The mask of all bits of the field. */
  public long full() {
    return widthBits == 64 ? -1L : (1L << widthBits) - 1;
  }

  /** This field as one bit in a set of fields, in the order in which they are declared. */
  @SuppressWarnings("EnumOrdinal") // such sets live in memory only
  public int bit() {
    return 1 << ordinal();
  }

  /** The name in profiles and messages, as OpenFlow writes it: {@code eth_dst}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The names of a set of fields, separated by commas. */
  public static String labels(int fields) {
    StringBuilder text = new StringBuilder();
    for (HeaderField field : values()) {
      if ((fields & field.bit()) != 0) {
        text.append(text.isEmpty() ? "" : ", ").append(field.label());
      }
    }
    return text.toString();
  }
}
