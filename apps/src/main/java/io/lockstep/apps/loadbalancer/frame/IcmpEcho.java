package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.Nullable;

/** ICMP echo (RFC 792). */
public final class IcmpEcho {
  private static final int REQUEST = 8;
  private static final int REPLY = 0;
  private static final int HEAD_BYTES = 8;
  private static final int CHECKSUM_AT = 2;
  private static final int IDENTIFIER_AT = 4;

  private IcmpEcho() {}

  /**
   * The reply to an echo request with the same data; null where the packet is none, is a fragment,
   * did not come whole or has a wrong checksum.
   */
  public static byte @Nullable [] reply(byte[] frame, Ipv4Packet packet) {
    if (!isEcho(frame, packet, REQUEST)) {
      return null;
    }
    int bytes = packet.payloadBytes();
    byte[] reply = packet.answer(frame, bytes);
    int at = reply.length - bytes;
    System.arraycopy(frame, packet.payloadAt(), reply, at, bytes);
    reply[at] = REPLY;
    seal(reply, at, bytes);
    return reply;
  }

  /** An echo request without data; the reply brings identifier and sequence number back. */
  public static byte[] request(
      long to, long from, int vlan, int source, int destination, int identifier, int sequence) {
    byte[] frame =
        EthernetHead.begin(to, from, vlan, EthernetHead.IPV4, Ipv4Packet.HEAD_BYTES + HEAD_BYTES);
    int at = frame.length - HEAD_BYTES;
    Ipv4Packet.fill(
        frame, at - Ipv4Packet.HEAD_BYTES, Ipv4Packet.ICMP, source, destination, HEAD_BYTES);
    frame[at] = REQUEST;
    Octets.put16(frame, at + IDENTIFIER_AT, identifier);
    Octets.put16(frame, at + IDENTIFIER_AT + 2, sequence);
    seal(frame, at, HEAD_BYTES);
    return frame;
  }

  /** Identifier and sequence number of an echo reply, as one number; -1 where it is none. */
  public static long repliedTo(byte[] frame, Ipv4Packet packet) {
    return isEcho(frame, packet, REPLY)
        ? Integer.toUnsignedLong(Octets.int32(frame, packet.payloadAt() + IDENTIFIER_AT))
        : -1;
  }

  private static boolean isEcho(byte[] frame, Ipv4Packet packet, int type) {
    int bytes = packet.payloadBytes();
    int head = type << 8; // type and code, which is 0
    return packet.protocol() == Ipv4Packet.ICMP
        && !packet.isFragment()
        && packet.isWhole(frame)
        && bytes >= HEAD_BYTES
        && Octets.uint16(frame, packet.payloadAt()) == head
        && Octets.checksum(Octets.sum(frame, packet.payloadAt(), bytes)) == 0;
  }

  private static void seal(byte[] frame, int at, int bytes) {
    Octets.put16(frame, at + CHECKSUM_AT, 0);
    Octets.put16(frame, at + CHECKSUM_AT, Octets.checksum(Octets.sum(frame, at, bytes)));
  }
}
