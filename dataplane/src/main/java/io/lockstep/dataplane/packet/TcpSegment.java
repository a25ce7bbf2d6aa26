package io.lockstep.dataplane.packet;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A TCP segment without options (RFC 9293), enough for the emulated hosts' exchanges.
 *
 * @param sequence number of the first octet, 32 bits unsigned
 * @param acknowledgement next octet expected, 32 bits unsigned, meaningful with {@link #ACK}
 * @param flags the control bits
 * @param payload not copied; must not be written to
 */
public record TcpSegment(
    Endpoints ends,
    int sourcePort,
    int targetPort,
    long sequence,
    long acknowledgement,
    int flags,
    byte[] payload) {
  public static final int FIN = 1;
  public static final int SYN = 2;
  public static final int RST = 4;
  public static final int PSH = 8;
  public static final int ACK = 16;

  private static final int HEADER_BYTES = 20;

  /** Whether all control bits of {@code wanted} are set. */
  public boolean has(int wanted) {
    return (flags & wanted) == wanted;
  }

  /** The refusal of this segment (RFC 9293 section 3.5.2). */
  public TcpSegment reset() {
    return new TcpSegment(
        ends.reversed(),
        /* sourcePort= */ targetPort,
        /* targetPort= */ sourcePort,
        acknowledgement,
        (sequence + payload.length + 1) & 0xffff_ffffL,
        RST | ACK,
        new byte[0]);
  }

  /** The frame. */
  public byte[] encode() {
    int transportBytes = HEADER_BYTES + payload.length;
    byte[] frame = IpFrame.allocate(ends, EtherTypes.PROTO_TCP, transportBytes);
    int at = IpFrame.TRANSPORT_AT;
    Octets.put(frame, at, 2, sourcePort);
    Octets.put(frame, at + 2, 2, targetPort);
    Octets.put(frame, at + 4, 4, sequence);
    Octets.put(frame, at + 8, 4, acknowledgement);
    Octets.put(frame, at + 12, 2, 5 << 12 | flags);
    Octets.put(frame, at + 14, 2, 0xffff); // window
    System.arraycopy(payload, 0, frame, at + HEADER_BYTES, payload.length);
    long sum = IpFrame.pseudoHeader(frame, EtherTypes.PROTO_TCP, transportBytes);
    sum = Octets.sum(frame, at, at + transportBytes, sum);
    Octets.put(frame, at + 16, 2, Octets.checksum(sum));
    return frame;
  }

  /** Reads an untagged frame; null when it is not TCP or its checksum is wrong. */
  public static @Nullable TcpSegment decode(Packet packet) {
    if (!packet.has(OxmField.TCP_SRC)) {
      return null;
    }
    byte[] frame = packet.bytes();
    int at = IpFrame.transportAt(frame);
    int end = IpFrame.end(frame);
    if (at < 0 || end < at + HEADER_BYTES) {
      return null;
    }
    int dataAt = at + (Octets.u8(frame, at + 12) >>> 4) * 4;
    long sum = IpFrame.pseudoHeader(frame, EtherTypes.PROTO_TCP, end - at);
    boolean whole = dataAt >= at + HEADER_BYTES && dataAt <= end;
    if (!whole || Octets.checksum(Octets.sum(frame, at, end, sum)) != 0) {
      return null;
    }
    return new TcpSegment(
        Endpoints.of(packet),
        Octets.u16(frame, at),
        Octets.u16(frame, at + 2),
        Octets.u32(frame, at + 4),
        Octets.u32(frame, at + 8),
        Octets.u8(frame, at + 13),
        Arrays.copyOfRange(frame, dataAt, end));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof TcpSegment that
        && ends.equals(that.ends)
        && sourcePort == that.sourcePort
        && targetPort == that.targetPort
        && sequence == that.sequence
        && acknowledgement == that.acknowledgement
        && flags == that.flags
        && Arrays.equals(payload, that.payload);
  }

  @Override
  public int hashCode() {
    return Objects.hash(ends, sourcePort, targetPort, sequence, acknowledgement, flags)
        ^ Arrays.hashCode(payload);
  }
}
