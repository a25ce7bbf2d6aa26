package io.lockstep.dataplane.packet;

/** Frames for tests. */
public final class SampleFrames {
  public static final Mac MAC_A = Mac.parse("02:00:00:00:00:0a");
  public static final Mac MAC_B = Mac.parse("02:00:00:00:00:0b");
  public static final Ipv4 IP_A = Ipv4.parse("10.0.0.1");
  public static final Ipv4 IP_B = Ipv4.parse("10.0.0.2");
  public static final Endpoints A_TO_B = new Endpoints(MAC_A, IP_A, MAC_B, IP_B);

  private SampleFrames() {}

  public static byte[] echo() {
    return new IcmpEcho(A_TO_B, false, 1, 1).encode();
  }

  public static byte[] tcp(int sourcePort, int targetPort) {
    return new TcpSegment(
            A_TO_B, sourcePort, targetPort, 1, 0, TcpSegment.SYN, new byte[] {1, 2, 3})
        .encode();
  }

  /** UDP with a correct checksum. */
  public static byte[] udp(int sourcePort, int targetPort) {
    byte[] frame = IpFrame.allocate(A_TO_B, EtherTypes.PROTO_UDP, 12);
    int at = IpFrame.TRANSPORT_AT;
    Octets.put(frame, at, 2, sourcePort);
    Octets.put(frame, at + 2, 2, targetPort);
    Octets.put(frame, at + 4, 2, 12);
    Octets.put(frame, at + 8, 4, 0x01020304);
    long sum = IpFrame.pseudoHeader(frame, EtherTypes.PROTO_UDP, 12);
    Octets.put(frame, at + 6, 2, Octets.checksum(Octets.sum(frame, at, at + 12, sum)));
    return frame;
  }

  public static byte[] arp() {
    return ArpMessage.request(MAC_A, IP_A, IP_B).encode();
  }

  /** A frame with one tag added. */
  public static byte[] tagged(byte[] frame, int vlan, int pcp) {
    Packet packet = new Packet(frame, 1);
    packet.pushVlan(EtherTypes.VLAN);
    packet.set(OxmField.VLAN_VID, vlan | OxmField.VLAN_PRESENT, 0);
    packet.set(OxmField.VLAN_PCP, pcp, 0);
    return packet.bytes();
  }

  /** ICMPv6 echo request without extension headers, checksum correct. */
  public static byte[] icmp6() {
    byte[] frame = new byte[14 + 40 + 8];
    Octets.put(frame, 0, 6, MAC_B.value());
    Octets.put(frame, 6, 6, MAC_A.value());
    Octets.put(frame, 12, 2, EtherTypes.IPV6);
    Octets.put(frame, 14, 4, 0x6000_0000L);
    Octets.put(frame, 18, 2, 8);
    frame[20] = EtherTypes.PROTO_ICMPV6;
    frame[21] = 64;
    Octets.put(frame, 22, 8, 0xfd00_0000_0000_0000L);
    Octets.put(frame, 30, 8, 1);
    Octets.put(frame, 38, 8, 0xfd00_0000_0000_0000L);
    Octets.put(frame, 46, 8, 2);
    frame[54] = (byte) 128;
    Octets.put(frame, 56, 2, sumOfIcmp6(frame));
    return frame;
  }

  /** An 802.3 frame: addresses, length, LLC and what follows. */
  public static byte[] ieee8023(int... afterLength) {
    byte[] frame = new byte[60];
    Octets.put(frame, 0, 6, MAC_B.value());
    Octets.put(frame, 6, 6, MAC_A.value());
    Octets.put(frame, 12, 2, 46);
    for (int i = 0; i < afterLength.length; i++) {
      frame[14 + i] = (byte) afterLength[i];
    }
    return frame;
  }

  /** The same packet in an 802.3 frame with a SNAP header. */
  public static byte[] snap(byte[] frame, int organisation) {
    byte[] longer = new byte[frame.length + 8];
    System.arraycopy(frame, 0, longer, 0, 12);
    Octets.put(longer, 12, 2, frame.length - 6);
    Octets.put(longer, 14, 3, 0xaaaa03);
    Octets.put(longer, 17, 3, organisation);
    System.arraycopy(frame, 12, longer, 20, frame.length - 12);
    return longer;
  }

  /** An IPv4 packet under two labels: 100 with traffic class 5, and 200 at the bottom. */
  public static byte[] mpls() {
    byte[] inner = echo();
    byte[] frame = new byte[inner.length + 8];
    System.arraycopy(inner, 0, frame, 0, 12);
    Octets.put(frame, 12, 2, EtherTypes.MPLS);
    Octets.put(frame, 14, 4, 100L << 12 | 5 << 9 | 64);
    Octets.put(frame, 18, 4, 200L << 12 | 1 << 8 | 64);
    System.arraycopy(inner, 14, frame, 22, inner.length - 14);
    return frame;
  }

  /** SCTP with a correct checksum. */
  public static byte[] sctp(int sourcePort, int targetPort) {
    byte[] frame = IpFrame.allocate(A_TO_B, EtherTypes.PROTO_SCTP, 16);
    int at = IpFrame.TRANSPORT_AT;
    Octets.put(frame, at, 2, sourcePort);
    Octets.put(frame, at + 2, 2, targetPort);
    Octets.put(frame, at + 4, 4, 0x11223344);
    Octets.put(frame, at + 12, 4, 0x0b000004);
    Octets.put(frame, at + 8, 4, sumOfSctp(frame));
    return frame;
  }

  /** What the SCTP checksum field must hold for the rest of the frame. */
  static long sumOfSctp(byte[] frame) {
    byte[] copy = frame.clone();
    Octets.put(copy, IpFrame.TRANSPORT_AT + 8, 4, 0);
    java.util.zip.CRC32C sum = new java.util.zip.CRC32C();
    sum.update(copy, IpFrame.TRANSPORT_AT, 16);
    return Integer.reverseBytes((int) sum.getValue()) & 0xffff_ffffL;
  }

  /** A neighbour solicitation (135) or advertisement (136) with the sender's address. */
  public static byte[] neighbour(int type) {
    byte[] frame = java.util.Arrays.copyOf(icmp6(), 14 + 40 + 32);
    Octets.put(frame, 14, 4, 0x600a_bcdeL);
    Octets.put(frame, 18, 2, 32);
    frame[21] = (byte) 255;
    Octets.put(frame, 54, 8, (long) type << 56);
    Octets.put(frame, 62, 8, 0xfd00_0000_0000_0000L);
    Octets.put(frame, 70, 8, 7);
    Octets.put(frame, 78, 2, type == 135 ? 0x0101 : 0x0201);
    Octets.put(frame, 80, 6, MAC_A.value());
    Octets.put(frame, 56, 2, sumOfNeighbour(frame));
    return frame;
  }

  /** What the ICMPv6 checksum field of a neighbour message must hold. */
  static int sumOfNeighbour(byte[] frame) {
    byte[] copy = frame.clone();
    Octets.put(copy, 56, 2, 0);
    long pseudo = Octets.sum(copy, 22, 54, 32 + EtherTypes.PROTO_ICMPV6);
    return Octets.checksum(Octets.sum(copy, 54, copy.length, pseudo));
  }

  /** What the ICMPv6 checksum field must hold for the rest of the frame. */
  static int sumOfIcmp6(byte[] frame) {
    byte[] copy = frame.clone();
    Octets.put(copy, 56, 2, 0);
    long pseudo = Octets.sum(copy, 22, 54, 8 + EtherTypes.PROTO_ICMPV6);
    return Octets.checksum(Octets.sum(copy, 54, copy.length, pseudo));
  }
}
