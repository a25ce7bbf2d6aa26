package io.lockstep.dataplane.packet;

import org.jspecify.annotations.Nullable;

/**
 * A UDP datagram (RFC 768) whose payload is a number of 64 bits.
 *
 * @param port of the source and of the target
 */
public record NumberedDatagram(Endpoints ends, int port, long number) {
  private static final int HEADER_BYTES = 8;
  private static final int TRANSPORT_BYTES = HEADER_BYTES + Long.BYTES;

  /** The frame. */
  public byte[] encode() {
    byte[] frame = IpFrame.allocate(ends, EtherTypes.PROTO_UDP, TRANSPORT_BYTES);
    int at = IpFrame.TRANSPORT_AT;
    Octets.put(frame, at, 2, port);
    Octets.put(frame, at + 2, 2, port);
    Octets.put(frame, at + 4, 2, TRANSPORT_BYTES);
    Octets.put(frame, at + HEADER_BYTES, Long.BYTES, number);
    int checksum = Octets.checksum(sum(frame, at));
    // Zero stands for no checksum.
    Octets.put(frame, at + 6, 2, checksum == 0 ? 0xffff : checksum);
    return frame;
  }

  private static long sum(byte[] frame, int at) {
    long pseudo = IpFrame.pseudoHeader(frame, EtherTypes.PROTO_UDP, TRANSPORT_BYTES);
    return Octets.sum(frame, at, at + TRANSPORT_BYTES, pseudo);
  }

  /** Reads an untagged frame; null when it is no datagram of this form or its checksum is wrong. */
  public static @Nullable NumberedDatagram decode(Packet packet) {
    if (!packet.has(OxmField.UDP_DST)) {
      return null;
    }
    byte[] frame = packet.bytes();
    int at = IpFrame.transportAt(frame);
    if (at < 0 || IpFrame.end(frame) != at + TRANSPORT_BYTES) {
      return null;
    }
    int port = Octets.u16(frame, at + 2);
    boolean whole = Octets.u16(frame, at) == port && Octets.u16(frame, at + 4) == TRANSPORT_BYTES;
    if (!whole || Octets.checksum(sum(frame, at)) != 0) {
      return null;
    }
    return new NumberedDatagram(Endpoints.of(packet), port, Octets.u64(frame, at + HEADER_BYTES));
  }
}
