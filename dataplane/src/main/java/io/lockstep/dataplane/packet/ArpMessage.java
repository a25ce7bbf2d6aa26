package io.lockstep.dataplane.packet;

import org.jspecify.annotations.Nullable;

/**
 * An ARP packet for IPv4 over Ethernet (RFC 826).
 *
 * @param destination the Ethernet destination
 * @param operation 1 request, 2 reply
 */
public record ArpMessage(
    Mac destination,
    int operation,
    Mac senderMac,
    Ipv4 senderAddress,
    Mac targetMac,
    Ipv4 targetAddress) {
  public static final int REQUEST = 1;
  public static final int REPLY = 2;

  private static final int FRAME_BYTES = 60;

  /** Asks everybody who holds {@code wanted}. */
  public static ArpMessage request(Mac senderMac, Ipv4 senderAddress, Ipv4 wanted) {
    return new ArpMessage(Mac.BROADCAST, REQUEST, senderMac, senderAddress, new Mac(0), wanted);
  }

  /** Tells everybody that {@code address} is at {@code mac} (RFC 5227 section 3, announcement). */
  public static ArpMessage announcement(Mac mac, Ipv4 address) {
    return new ArpMessage(Mac.BROADCAST, REQUEST, mac, address, new Mac(0), address);
  }

  /** The answer of a station to this request. */
  public ArpMessage replyFrom(Mac mac) {
    return new ArpMessage(senderMac, REPLY, mac, targetAddress, senderMac, senderAddress);
  }

  /** The frame, padded to 60 octets. */
  public byte[] encode() {
    byte[] frame = new byte[FRAME_BYTES];
    Octets.put(frame, 0, 6, destination.value());
    Octets.put(frame, 6, 6, senderMac.value());
    Octets.put(frame, 12, 2, EtherTypes.ARP);
    Octets.put(frame, 14, 2, 1);
    Octets.put(frame, 16, 2, EtherTypes.IPV4);
    Octets.put(frame, 18, 2, 0x0604);
    Octets.put(frame, 20, 2, operation);
    Octets.put(frame, 22, 6, senderMac.value());
    Octets.put(frame, 28, 4, senderAddress.value());
    Octets.put(frame, 32, 6, targetMac.value());
    Octets.put(frame, 38, 4, targetAddress.value());
    return frame;
  }

  /** Reads an untagged frame; null when it is not ARP for IPv4 over Ethernet. */
  public static @Nullable ArpMessage decode(Packet packet) {
    if (!packet.has(OxmField.ARP_OP)) {
      return null;
    }
    return new ArpMessage(
        new Mac(packet.get(OxmField.ETH_DST)),
        (int) packet.get(OxmField.ARP_OP),
        new Mac(packet.get(OxmField.ARP_SHA)),
        new Ipv4((int) packet.get(OxmField.ARP_SPA)),
        new Mac(packet.get(OxmField.ARP_THA)),
        new Ipv4((int) packet.get(OxmField.ARP_TPA)));
  }
}
