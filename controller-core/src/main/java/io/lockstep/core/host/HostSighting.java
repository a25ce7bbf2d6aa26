package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.FrameView;
import org.jspecify.annotations.Nullable;

/**
 * What one packet shows of its sender.
 *
 * @param ip the sender's IPv4 address, 0 where the packet does not show it
 * @param ip6 the sender's IPv6 address, null where the packet does not show it
 * @param own whether the sender says that the address is its own (ARP, neighbour discovery); the
 *     source of an IP header may be a host behind a router
 */
record HostSighting(HostKey host, SwitchPort place, int ip, @Nullable Ip6 ip6, boolean own) {
  private static final int ARP = 0x0806;
  private static final int IPV4 = 0x0800;
  private static final int IPV6 = 0x86dd;
  private static final int ARP_BYTES = 28;
  private static final int ARP_SENDER_IP_AT = 14;
  private static final int ARP_SENDER_MAC_AT = 8;
  private static final int IPV4_BYTES = 20;
  private static final int IPV4_SOURCE_AT = 12;
  private static final int IPV6_BYTES = 40;
  private static final int IPV6_NEXT_HEADER_AT = 6;
  private static final int IPV6_SOURCE_AT = 8;
  private static final int ICMP6_AND_HOP_LIMIT = 58 << 8 | 255;
  private static final int DISCOVERY_BYTES = 24;
  private static final int DISCOVERY_TARGET_AT = 8;
  private static final int SOLICITATION = 135;
  private static final int ADVERTISEMENT = 136;
  private static final long ETHERNET_IPV4 = 0x0001_0800_0604L;

  /** A sender without an address. */
  static HostSighting of(HostKey host, SwitchPort place) {
    return new HostSighting(host, place, 0, null, false);
  }

  /** Whether the sender claims an address. */
  boolean claims() {
    return own && (ip != 0 || ip6 != null);
  }

  /**
   * Reads the sender's address out of ARP (RFC 826), IPv4 (RFC 791), neighbour discovery (RFC 4861)
   * or IPv6 (RFC 8200).
   */
  static HostSighting of(HostKey host, SwitchPort place, FrameView view) {
    byte[] frame = view.frame();
    int at = view.payloadOffset();
    int left = frame.length - at;
    if (view.etherType() == ARP && left >= ARP_BYTES) {
      boolean proper = number(frame, at, 6) == ETHERNET_IPV4;
      boolean honest = number(frame, at + ARP_SENDER_MAC_AT, 6) == view.sourceNumber();
      int ip = proper && honest ? unicast((int) number(frame, at + ARP_SENDER_IP_AT, 4)) : 0;
      return new HostSighting(host, place, ip, null, true);
    }
    if (view.etherType() == IPV4 && left >= IPV4_BYTES && (frame[at] & 0xf0) == 0x40) {
      int ip = unicast((int) number(frame, at + IPV4_SOURCE_AT, 4));
      return new HostSighting(host, place, ip, null, false);
    }
    if (view.etherType() == IPV6 && left >= IPV6_BYTES && (frame[at] & 0xf0) == 0x60) {
      return ip6(host, place, frame, at);
    }
    return of(host, place);
  }

  private static HostSighting ip6(HostKey host, SwitchPort place, byte[] frame, int at) {
    Ip6 address = address(frame, at + IPV6_SOURCE_AT);
    boolean own = false;
    int messageAt = at + IPV6_BYTES;
    if (number(frame, at + IPV6_NEXT_HEADER_AT, 2) == ICMP6_AND_HOP_LIMIT
        && frame.length - messageAt >= DISCOVERY_BYTES) {
      int type = frame[messageAt] & 0xff;
      own = type == SOLICITATION || type == ADVERTISEMENT;
      if (type == ADVERTISEMENT) {
        address = address(frame, messageAt + DISCOVERY_TARGET_AT);
      }
    }
    return new HostSighting(host, place, 0, address.isUnicast() ? address : null, own);
  }

  private static Ip6 address(byte[] frame, int at) {
    return new Ip6(number(frame, at, 8), number(frame, at + 8, 8));
  }

  private static int unicast(int ip) {
    int first = ip >>> 24;
    return first == 0 || first == 127 || first >= 224 ? 0 : ip;
  }

  private static long number(byte[] from, int at, int bytes) {
    long value = 0;
    for (int i = at; i < at + bytes; i++) {
      value = value << 8 | (from[i] & 0xff);
    }
    return value;
  }
}
