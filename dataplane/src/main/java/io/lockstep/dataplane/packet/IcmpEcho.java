package io.lockstep.dataplane.packet;

import org.jspecify.annotations.Nullable;

/**
 * An ICMP echo request or reply (RFC 792).
 *
 * @param reply whether this is the answer
 * @param identifier 16 bits that tell pingers on one host apart
 * @param sequence 16 bits that tell the requests of one pinger apart
 */
public record IcmpEcho(Endpoints ends, boolean reply, int identifier, int sequence) {
  private static final int PAYLOAD_BYTES = 56;

  /** The answer to this request. */
  public IcmpEcho answer() {
    return new IcmpEcho(ends.reversed(), true, identifier, sequence);
  }

  /** The frame, with 56 octets of payload as ping sends by default. */
  public byte[] encode() {
    int transportBytes = 8 + PAYLOAD_BYTES;
    byte[] frame = IpFrame.allocate(ends, EtherTypes.PROTO_ICMP, transportBytes);
    int at = IpFrame.TRANSPORT_AT;
    frame[at] = (byte) (reply ? 0 : 8);
    Octets.put(frame, at + 4, 2, identifier);
    Octets.put(frame, at + 6, 2, sequence);
    Octets.put(frame, at + 2, 2, Octets.checksum(Octets.sum(frame, at, at + transportBytes, 0)));
    return frame;
  }

  /** Reads an untagged frame; null when it is no echo or its checksum is wrong. */
  public static @Nullable IcmpEcho decode(Packet packet) {
    if (!packet.has(OxmField.ICMPV4_TYPE)) {
      return null;
    }
    byte[] frame = packet.bytes();
    int at = IpFrame.transportAt(frame);
    if (at < 0 || IpFrame.end(frame) < at + 8) {
      return null;
    }
    int type = Octets.u8(frame, at);
    boolean echo = (type == 0 || type == 8) && Octets.u8(frame, at + 1) == 0;
    if (!echo || Octets.checksum(Octets.sum(frame, at, IpFrame.end(frame), 0)) != 0) {
      return null;
    }
    int identifier = Octets.u16(frame, at + 4);
    return new IcmpEcho(Endpoints.of(packet), type == 0, identifier, Octets.u16(frame, at + 6));
  }
}
