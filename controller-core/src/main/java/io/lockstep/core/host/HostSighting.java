package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.FrameView;

/**
 * What one packet tells of its sender.
 *
 * @param ip the sender's IPv4 address, 0 where the packet does not tell it
 */
record HostSighting(HostKey host, SwitchPort place, int ip) {
  private static final int ARP = 0x0806;
  private static final int IPV4 = 0x0800;
  private static final int ARP_BYTES = 28;
  private static final int ARP_SENDER_IP_AT = 14;
  private static final int ARP_SENDER_MAC_AT = 8;
  private static final int IPV4_BYTES = 20;
  private static final int IPV4_SOURCE_AT = 12;
  private static final long ETHERNET_IPV4 = 0x0001_0800_0604L;

  /** Reads the sender's IPv4 address out of ARP (RFC 826) or IPv4 (RFC 791); 0 for none. */
  static int senderIp(FrameView view) {
    byte[] frame = view.frame();
    int at = view.payloadOffset();
    int left = frame.length - at;
    if (view.etherType() == ARP && left >= ARP_BYTES) {
      boolean proper = number(frame, at, 6) == ETHERNET_IPV4;
      boolean honest = number(frame, at + ARP_SENDER_MAC_AT, 6) == view.sourceNumber();
      return proper && honest ? unicast((int) number(frame, at + ARP_SENDER_IP_AT, 4)) : 0;
    }
    if (view.etherType() == IPV4 && left >= IPV4_BYTES && (frame[at] & 0xf0) == 0x40) {
      return unicast((int) number(frame, at + IPV4_SOURCE_AT, 4));
    }
    return 0;
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
