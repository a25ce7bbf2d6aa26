package io.lockstep.dataplane.packet;

/** Builds the Ethernet and IPv4 headers around a transport payload. */
final class IpFrame {
  static final int NETWORK_AT = 14;
  static final int TRANSPORT_AT = 34;

  private static final int MIN_FRAME_BYTES = 60;
  private static final int INITIAL_TTL = 64;

  private IpFrame() {}

  /** A frame with its headers filled in and {@code transportBytes} zero octets to follow. */
  static byte[] allocate(Endpoints ends, int protocol, int transportBytes) {
    byte[] frame = new byte[Math.max(MIN_FRAME_BYTES, TRANSPORT_AT + transportBytes)];
    Octets.put(frame, 0, 6, ends.targetMac().value());
    Octets.put(frame, 6, 6, ends.sourceMac().value());
    Octets.put(frame, 12, 2, EtherTypes.IPV4);
    frame[NETWORK_AT] = 0x45;
    Octets.put(frame, NETWORK_AT + 2, 2, 20 + transportBytes);
    Octets.put(frame, NETWORK_AT + 6, 2, 0x4000); // do not fragment
    frame[NETWORK_AT + 8] = INITIAL_TTL;
    frame[NETWORK_AT + 9] = (byte) protocol;
    Octets.put(frame, NETWORK_AT + 12, 4, ends.source().value());
    Octets.put(frame, NETWORK_AT + 16, 4, ends.target().value());
    int checksum = Octets.checksum(Octets.sum(frame, NETWORK_AT, TRANSPORT_AT, 0));
    Octets.put(frame, NETWORK_AT + 10, 2, checksum);
    return frame;
  }

  /** The pseudo header's part of a transport checksum (RFC 9293 section 3.1). */
  static long pseudoHeader(byte[] frame, int protocol, int transportBytes) {
    return Octets.sum(frame, NETWORK_AT + 12, NETWORK_AT + 20, protocol + (long) transportBytes);
  }

  /** First octet behind the IPv4 header, or -1 when the packet is not a whole IPv4 packet. */
  static int transportAt(byte[] frame) {
    if (frame.length < TRANSPORT_AT || Octets.u16(frame, 12) != EtherTypes.IPV4) {
      return -1;
    }
    int at = NETWORK_AT + (Octets.u8(frame, NETWORK_AT) & 15) * 4;
    return at < TRANSPORT_AT || at > end(frame) ? -1 : at;
  }

  /** First octet behind the IPv4 packet, padding left out; never beyond the frame. */
  static int end(byte[] frame) {
    return Math.min(frame.length, NETWORK_AT + Octets.u16(frame, NETWORK_AT + 2));
  }
}
