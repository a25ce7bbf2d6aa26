package io.lockstep.core.flow.entry;

import io.lockstep.placer.space.HeaderField;
import io.lockstep.placer.space.TernaryMatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads a frame as a point of the header space, in order to find the rule that it matches. Reads
 * one VLAN tag at most, and of IP only packets whose transport header follows at once and is whole:
 * elsewhere switches differ. Pure and thread-safe.
 */
public final class PacketFields {
  private static final int TYPE_AT = 12;
  private static final int HEADER_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88a8;

  /** Smaller numbers are lengths (IEEE 802.3-2018 section 3.2.6). */
  private static final int LEAST_TYPE = 0x600;

  private static final int IPV4_BYTES = 20;
  private static final int IPV6_BYTES = 40;
  private static final int ARP_BYTES = 28;

  /** The fragment offset and the bit "more fragments" of IPv4 (RFC 791 section 3.1). */
  private static final int FRAGMENT = 0x3fff;

  private PacketFields() {}

  /**
   * The fields of a frame, each with its exact value.
   *
   * @param inPort its ingress port as OpenFlow numbers it
   * @return null for a frame that this class does not read
   */
  public static @Nullable TernaryMatch of(long inPort, byte[] frame) {
    if (frame.length < HEADER_BYTES) {
      return null;
    }
    int payload = HEADER_BYTES;
    int type = uint16(frame, TYPE_AT);
    TernaryMatch fields =
        TernaryMatch.any()
            .with(HeaderField.IN_PORT, inPort & HeaderField.IN_PORT.full())
            .with(HeaderField.ETH_DST, number(frame, 0, 6))
            .with(HeaderField.ETH_SRC, number(frame, 6, 6));
    if (type == TAG) {
      if (frame.length < HEADER_BYTES + TAG_BYTES) {
        return null;
      }
      int tag = uint16(frame, HEADER_BYTES);
      type = uint16(frame, HEADER_BYTES + 2);
      payload += TAG_BYTES;
      fields =
          fields
              .with(HeaderField.VLAN_VID, HeaderValues.TAGGED | (tag & 0xfff))
              .with(HeaderField.VLAN_PCP, tag >> 13);
    }
    if (type < LEAST_TYPE || type == TAG || type == SERVICE_TAG) {
      return null;
    }
    TernaryMatch read = payload(fields.with(HeaderField.ETH_TYPE, type), type, frame, payload);
    return read == null ? null : exact(read);
  }

  private static @Nullable TernaryMatch payload(
      TernaryMatch fields, int type, byte[] frame, int at) {
    return switch (type) {
      case HeaderValues.IPV4 -> ipv4(fields, frame, at);
      case HeaderValues.IPV6 -> ipv6(fields, frame, at);
      case HeaderValues.ARP -> arp(fields, frame, at);
      default -> fields;
    };
  }

  private static @Nullable TernaryMatch ipv4(TernaryMatch fields, byte[] frame, int at) {
    if (frame.length < at + IPV4_BYTES || (frame[at] & 0xf0) != 0x40) {
      return null;
    }
    int bytes = 4 * (frame[at] & 0xf);
    if (bytes < IPV4_BYTES || (uint16(frame, at + 6) & FRAGMENT) != 0) {
      return null;
    }
    int protocol = frame[at + 9] & 0xff;
    TernaryMatch ip =
        fields
            .with(HeaderField.IP_DSCP, (frame[at + 1] & 0xff) >> 2)
            .with(HeaderField.IP_ECN, frame[at + 1] & 3)
            .with(HeaderField.IP_PROTO, protocol)
            .with(HeaderField.IPV4_SRC, number(frame, at + 12, 4))
            .with(HeaderField.IPV4_DST, number(frame, at + 16, 4));
    return transport(ip, protocol, HeaderValues.ICMP, frame, at + bytes);
  }

  private static @Nullable TernaryMatch ipv6(TernaryMatch fields, byte[] frame, int at) {
    if (frame.length < at + IPV6_BYTES || (frame[at] & 0xf0) != 0x60) {
      return null;
    }
    int protocol = frame[at + 6] & 0xff;
    int traffic = uint16(frame, at) >> 4 & 0xff;
    TernaryMatch ip =
        fields
            .with(HeaderField.IP_DSCP, traffic >> 2)
            .with(HeaderField.IP_ECN, traffic & 3)
            .with(HeaderField.IP_PROTO, protocol)
            .with(HeaderField.IPV6_SRC_HIGH, number(frame, at + 8, 8))
            .with(HeaderField.IPV6_SRC_LOW, number(frame, at + 16, 8))
            .with(HeaderField.IPV6_DST_HIGH, number(frame, at + 24, 8))
            .with(HeaderField.IPV6_DST_LOW, number(frame, at + 32, 8));
    return switch (protocol) {
      case HeaderValues.TCP, HeaderValues.UDP, HeaderValues.SCTP ->
          transport(ip, protocol, -1, frame, at + IPV6_BYTES);
      case 0, 43, 44, 50, 51, 60, 135 -> null; // extension headers
      default -> ip;
    };
  }

  private static @Nullable TernaryMatch transport(
      TernaryMatch ip, int protocol, int icmp, byte[] frame, int at) {
    boolean hasPorts =
        protocol == HeaderValues.TCP
            || protocol == HeaderValues.UDP
            || protocol == HeaderValues.SCTP;
    if (!hasPorts && protocol != icmp) {
      return ip;
    }
    if (frame.length < at + 4) {
      return null;
    }
    return hasPorts
        ? ip.with(HeaderField.L4_SRC, uint16(frame, at))
            .with(HeaderField.L4_DST, uint16(frame, at + 2))
        : ip.with(HeaderField.ICMP_TYPE, frame[at] & 0xff)
            .with(HeaderField.ICMP_CODE, frame[at + 1] & 0xff);
  }

  private static @Nullable TernaryMatch arp(TernaryMatch fields, byte[] frame, int at) {
    return frame.length < at + ARP_BYTES
        ? null
        : fields
            .with(HeaderField.ARP_OP, uint16(frame, at + 6))
            .with(HeaderField.ARP_SPA, number(frame, at + 14, 4))
            .with(HeaderField.ARP_TPA, number(frame, at + 24, 4));
  }

  /** What a packet does not carry is 0. */
  private static TernaryMatch exact(TernaryMatch read) {
    TernaryMatch all = read;
    for (HeaderField field : HeaderField.values()) {
      if (field != HeaderField.OPAQUE && all.mask(field) == 0) {
        all = all.with(field, 0);
      }
    }
    return all;
  }

  private static int uint16(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | (frame[at + 1] & 0xff);
  }

  private static long number(byte[] frame, int at, int bytes) {
    long number = 0;
    for (int i = at; i < at + bytes; i++) {
      number = number << 8 | (frame[i] & 0xff);
    }
    return number;
  }
}
