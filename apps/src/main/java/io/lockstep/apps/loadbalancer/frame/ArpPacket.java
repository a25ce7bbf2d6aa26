package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.Nullable;

/** ARP for IPv4 over Ethernet (RFC 826). */
public record ArpPacket(
    EthernetHead head, int operation, long senderMac, int senderIp, long targetMac, int targetIp) {
  public static final int REQUEST = 1;
  public static final int REPLY = 2;

  private static final int BYTES = 28;
  private static final int ETHERNET = 1;
  private static final int ADDRESS_LENGTHS = 0x0604;

  /** Reads ARP; null where the frame is none or is malformed. */
  public static @Nullable ArpPacket of(byte[] frame, EthernetHead head) {
    int at = head.payloadAt();
    if (head.etherType() != EthernetHead.ARP
        || frame.length - at < BYTES
        || Octets.uint16(frame, at) != ETHERNET
        || Octets.uint16(frame, at + 2) != EthernetHead.IPV4
        || Octets.uint16(frame, at + 4) != ADDRESS_LENGTHS) {
      return null;
    }
    return new ArpPacket(
        head,
        Octets.uint16(frame, at + 6),
        Octets.mac(frame, at + 8),
        Octets.int32(frame, at + 14),
        Octets.mac(frame, at + 18),
        Octets.int32(frame, at + 24));
  }

  /** The reply that {@code mac} has the address that this one asks for. */
  public byte[] reply(byte[] frame, long mac) {
    byte[] reply = head.begin(senderMac, mac, frame, BYTES);
    fill(
        reply,
        head.payloadAt(),
        REPLY,
        /* senderMac= */ mac,
        /* senderIp= */ targetIp,
        /* targetMac= */ senderMac,
        /* targetIp= */ senderIp);
    return reply;
  }

  /**
   * A question for an address.
   *
   * @param to the station that is asked, or {@link EthernetHead#BROADCAST}
   * @param senderIp 0 where the asker claims none (RFC 5227)
   */
  public static byte[] request(long to, long senderMac, int senderIp, int targetIp, int vlan) {
    byte[] frame = EthernetHead.begin(to, senderMac, vlan, EthernetHead.ARP, BYTES);
    fill(frame, frame.length - BYTES, REQUEST, senderMac, senderIp, 0, targetIp);
    return frame;
  }

  private static void fill(
      byte[] frame,
      int at,
      int operation,
      long senderMac,
      int senderIp,
      long targetMac,
      int targetIp) {
    Octets.put16(frame, at, ETHERNET);
    Octets.put16(frame, at + 2, EthernetHead.IPV4);
    Octets.put16(frame, at + 4, ADDRESS_LENGTHS);
    Octets.put16(frame, at + 6, operation);
    Octets.putMac(frame, at + 8, senderMac);
    Octets.put32(frame, at + 14, senderIp);
    Octets.putMac(frame, at + 18, targetMac);
    Octets.put32(frame, at + 24, targetIp);
  }
}
