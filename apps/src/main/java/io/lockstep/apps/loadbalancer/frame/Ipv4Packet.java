package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.Nullable;

/**
 * An IPv4 packet in a frame (RFC 791), read once; the bytes stay where they are.
 *
 * @param payloadAt where the payload of the IP packet begins in the frame
 * @param end where the IP packet ends by its length; may be behind the end of a frame that was cut
 */
public record Ipv4Packet(
    EthernetHead head,
    int protocol,
    int source,
    int destination,
    boolean isFragment,
    int payloadAt,
    int end) {
  public static final int ICMP = 1;
  public static final int TCP = 6;
  public static final int UDP = 17;

  static final int HEAD_BYTES = 20;
  private static final int MORE_FRAGMENTS_AND_OFFSET = 0x3fff;
  private static final int PORTS_BYTES = 4;
  private static final int UDP_HEAD_BYTES = 8;
  private static final int TIME_TO_LIVE = 64;

  /**
   * Reads the head; null where the frame has no IPv4 packet, or one whose head is malformed or has
   * a wrong checksum. Checksums of TCP and UDP are not looked at: hosts leave them to their network
   * cards, so between hosts of one machine they are wrong as a rule.
   */
  public static @Nullable Ipv4Packet of(byte[] frame, EthernetHead head) {
    int at = head.payloadAt();
    if (head.etherType() != EthernetHead.IPV4 || frame.length - at < HEAD_BYTES) {
      return null;
    }
    int headBytes = (frame[at] & 0xf) * 4;
    int length = Octets.uint16(frame, at + 2);
    if (Octets.uint8(frame, at) >>> 4 != 4
        || headBytes < HEAD_BYTES
        || frame.length - at < headBytes
        || length < headBytes
        || Octets.checksum(Octets.sum(frame, at, headBytes)) != 0) {
      return null;
    }
    return new Ipv4Packet(
        head,
        Octets.uint8(frame, at + 9),
        Octets.int32(frame, at + 12),
        Octets.int32(frame, at + 16),
        (Octets.uint16(frame, at + 6) & MORE_FRAGMENTS_AND_OFFSET) != 0,
        at + headBytes,
        at + length);
  }

  /** Whether the frame has the source and destination ports of TCP, or the whole head of UDP. */
  public boolean hasPorts(byte[] frame) {
    int least = protocol == UDP ? UDP_HEAD_BYTES : PORTS_BYTES;
    return (protocol == TCP || protocol == UDP)
        && !isFragment
        && Math.min(end, frame.length) - payloadAt >= least;
  }

  /** The source port; only where {@link #hasPorts}. */
  public int sourcePort(byte[] frame) {
    return Octets.uint16(frame, payloadAt);
  }

  /** The destination port; only where {@link #hasPorts}. */
  public int destinationPort(byte[] frame) {
    return Octets.uint16(frame, payloadAt + 2);
  }

  /** Whether the frame has the whole packet. */
  boolean isWhole(byte[] frame) {
    return end <= frame.length;
  }

  int payloadBytes() {
    return end - payloadAt;
  }

  /** A frame that goes the other way, with an IP head and room for a payload. */
  byte[] answer(byte[] frame, int payloadBytes) {
    byte[] answer = head.begin(head.source(), head.destination(), frame, HEAD_BYTES + payloadBytes);
    fill(answer, head.payloadAt(), protocol, destination, source, payloadBytes);
    return answer;
  }

  /** Writes an IP head without options, with its checksum. */
  static void fill(byte[] frame, int at, int protocol, int from, int to, int payloadBytes) {
    frame[at] = 0x45;
    Octets.put16(frame, at + 2, HEAD_BYTES + payloadBytes);
    Octets.put16(frame, at + 6, 0x4000); // not to be fragmented
    frame[at + 8] = TIME_TO_LIVE;
    frame[at + 9] = (byte) protocol;
    Octets.put32(frame, at + 12, from);
    Octets.put32(frame, at + 16, to);
    Octets.put16(frame, at + 10, Octets.checksum(Octets.sum(frame, at, HEAD_BYTES)));
  }
}
