package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.Nullable;

/**
 * The head of a TCP segment (RFC 9293).
 *
 * @param sequence number of its first octet
 * @param acknowledged the next octet that its sender expects
 * @param octets the octets that it takes in the sequence: data, SYN and FIN
 */
public record TcpHead(int flags, int sequence, int acknowledged, int octets) {
  static final int BYTES = 20;
  private static final int FIN = 0x01;
  private static final int SYN = 0x02;
  private static final int RST = 0x04;
  private static final int ACK = 0x10;
  private static final int WINDOW = 1_024;

  /** Five words, in the upper half of the octet. */
  private static final int HEAD_WORDS_AND_ZEROS = 0x50;

  private static final int FLAGS_AT = 13;

  /** Reads the head; null where the packet has none or a malformed one. */
  public static @Nullable TcpHead of(byte[] frame, Ipv4Packet packet) {
    int at = packet.payloadAt();
    if (packet.protocol() != Ipv4Packet.TCP
        || packet.isFragment()
        || Math.min(packet.end(), frame.length) - at < BYTES) {
      return null;
    }
    int headBytes = (Octets.uint8(frame, at + 12) >>> 4) * 4;
    int data = packet.payloadBytes() - headBytes;
    if (headBytes < BYTES || data < 0) {
      return null;
    }
    int flags = Octets.uint8(frame, at + FLAGS_AT);
    int octets = data + ((flags & SYN) != 0 ? 1 : 0) + ((flags & FIN) != 0 ? 1 : 0);
    return new TcpHead(flags, Octets.int32(frame, at + 4), Octets.int32(frame, at + 8), octets);
  }

  /** Whether it begins a connection: SYN without ACK, RST and FIN. */
  public boolean isSyn() {
    return (flags & (SYN | ACK | RST | FIN)) == SYN;
  }

  /** Whether it accepts a connection: SYN with ACK. */
  public boolean isSynAck() {
    return (flags & (SYN | ACK | RST)) == (SYN | ACK);
  }

  public boolean isReset() {
    return (flags & RST) != 0;
  }

  /**
   * The reset that answers this segment (RFC 9293 section 3.10.7.1); null where it is a reset
   * itself.
   */
  public byte @Nullable [] reset(byte[] frame, Ipv4Packet packet) {
    if (isReset()) {
      return null;
    }
    byte[] reset = packet.answer(frame, BYTES);
    boolean acknowledges = (flags & ACK) != 0;
    fill(
        reset,
        /* sourcePort= */ packet.destinationPort(frame),
        /* destinationPort= */ packet.sourcePort(frame),
        acknowledges ? acknowledged : 0,
        acknowledges ? 0 : sequence + octets,
        acknowledges ? RST : RST | ACK,
        0);
    return reset;
  }

  /** A SYN of our own: asks whether the member listens. */
  public static byte[] syn(
      long to,
      long from,
      int vlan,
      int source,
      int destination,
      int sourcePort,
      int destinationPort,
      int sequence) {
    byte[] frame =
        EthernetHead.begin(to, from, vlan, EthernetHead.IPV4, Ipv4Packet.HEAD_BYTES + BYTES);
    Ipv4Packet.fill(
        frame,
        frame.length - BYTES - Ipv4Packet.HEAD_BYTES,
        Ipv4Packet.TCP,
        source,
        destination,
        BYTES);
    fill(frame, sourcePort, destinationPort, sequence, 0, SYN, WINDOW);
    return frame;
  }

  /** Writes the head at the end of a frame whose IP head has no options, with its checksum. */
  private static void fill(
      byte[] frame,
      int sourcePort,
      int destinationPort,
      int sequence,
      int acknowledged,
      int flags,
      int window) {
    int at = frame.length - BYTES;
    Octets.put16(frame, at, sourcePort);
    Octets.put16(frame, at + 2, destinationPort);
    Octets.put32(frame, at + 4, sequence);
    Octets.put32(frame, at + 8, acknowledged);
    frame[at + 12] = (byte) HEAD_WORDS_AND_ZEROS;
    frame[at + FLAGS_AT] = (byte) flags;
    Octets.put16(frame, at + 14, window);
    // The pseudo head: addresses, protocol and length (RFC 9293 section 3.1).
    long sum = Octets.sum(frame, at - 8, 8) + Ipv4Packet.TCP + BYTES;
    Octets.put16(frame, at + 16, Octets.checksum(sum + Octets.sum(frame, at, BYTES)));
  }
}
