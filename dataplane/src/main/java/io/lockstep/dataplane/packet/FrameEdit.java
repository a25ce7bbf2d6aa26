package io.lockstep.dataplane.packet;

import java.util.zip.CRC32C;

/**
 * Writes header fields into a frame in place, with the checksums they take part in. Transport
 * checksums are adjusted by the difference (RFC 1624), so a checksum that was wrong stays wrong.
 */
final class FrameEdit {
  private static final int SCTP_HEADER_BYTES = 12;

  private final byte[] frame;
  private final int networkAt;
  private final int transportAt;
  private final int etherType;

  FrameEdit(byte[] frame, int networkAt, int transportAt, int etherType) {
    this.frame = frame;
    this.networkAt = networkAt;
    this.transportAt = transportAt;
    this.etherType = etherType;
  }

  /** Writes a field that is there. */
  void set(OxmField field, long high, long low) {
    switch (field) {
      case ETH_DST -> Octets.put(frame, 0, 6, high);
      case ETH_SRC -> Octets.put(frame, 6, 6, high);
      case VLAN_VID -> Octets.put(frame, 14, 2, (Octets.u16(frame, 14) & 0xf000) | (high & 0xfff));
      case VLAN_PCP -> Octets.put(frame, 14, 2, (Octets.u16(frame, 14) & 0x1fff) | high << 13);
      case IP_DSCP -> setTypeOfService((typeOfService() & 3) | (int) high << 2);
      case IP_ECN -> setTypeOfService((typeOfService() & ~3) | (int) high);
      case IPV4_SRC -> setAddress(networkAt + 12, 4, high);
      case IPV4_DST -> setAddress(networkAt + 16, 4, high);
      case IPV6_SRC -> setIpv6(networkAt + 8, high, low);
      case IPV6_DST -> setIpv6(networkAt + 24, high, low);
      case TCP_SRC, UDP_SRC -> setCovered(transportAt, 2, high);
      case TCP_DST, UDP_DST -> setCovered(transportAt + 2, 2, high);
      case ICMPV4_TYPE, ICMPV6_TYPE ->
          setCovered(transportAt, 2, high << 8 | Octets.u8(frame, transportAt + 1));
      case ICMPV4_CODE, ICMPV6_CODE ->
          setCovered(transportAt, 2, Octets.u8(frame, transportAt) << 8 | high);
      case SCTP_SRC -> setSctpPort(transportAt, high);
      case SCTP_DST -> setSctpPort(transportAt + 2, high);
      case IPV6_FLABEL ->
          Octets.put(frame, networkAt, 4, (Octets.u32(frame, networkAt) & ~0xf_ffffL) | high);
      case IPV6_ND_TARGET -> {
        setCovered(transportAt + 8, 8, high);
        setCovered(transportAt + 16, 8, low);
      }
      case IPV6_ND_SLL, IPV6_ND_TLL ->
          setCovered(NeighbourOptions.find(frame, transportAt, field) + 2, 6, high);
      case MPLS_LABEL -> setLabelEntry(0xffff_f000L, high << 12);
      case MPLS_TC -> setLabelEntry(0xe00, high << 9);
      case MPLS_BOS -> setLabelEntry(0x100, high << 8);
      case ARP_OP -> Octets.put(frame, networkAt + 6, 2, high);
      case ARP_SHA -> Octets.put(frame, networkAt + 8, 6, high);
      case ARP_SPA -> Octets.put(frame, networkAt + 14, 4, high);
      case ARP_THA -> Octets.put(frame, networkAt + 18, 6, high);
      case ARP_TPA -> Octets.put(frame, networkAt + 24, 4, high);
      case IN_PORT, METADATA, ETH_TYPE, IP_PROTO ->
          throw new IllegalArgumentException(field + " cannot be set");
    }
  }

  private void setLabelEntry(long mask, long bits) {
    Octets.put(frame, networkAt, 4, (Octets.u32(frame, networkAt) & ~mask) | bits);
  }

  /** SCTP's checksum is a CRC over the whole packet (RFC 9260 section 6.8). */
  private void setSctpPort(int at, long port) {
    int end = Math.min(frame.length, networkAt + ipBytes());
    boolean there = end >= transportAt + SCTP_HEADER_BYTES;
    long wrongBy = there ? sctpChecksum() ^ crc(end) : 0;
    Octets.put(frame, at, 2, port);
    if (there) {
      Octets.put(frame, transportAt + 8, 4, crc(end) ^ wrongBy);
    }
  }

  private long sctpChecksum() {
    return Octets.u32(frame, transportAt + 8);
  }

  /** In the order of octets in which it is sent. */
  private long crc(int end) {
    CRC32C sum = new CRC32C();
    sum.update(frame, transportAt, 8);
    sum.update(new byte[4]);
    sum.update(frame, transportAt + SCTP_HEADER_BYTES, end - transportAt - SCTP_HEADER_BYTES);
    return Integer.reverseBytes((int) sum.getValue()) & 0xffff_ffffL;
  }

  /** The length of the IP packet, header included, as it says itself. */
  private int ipBytes() {
    return etherType == EtherTypes.IPV4
        ? Octets.u16(frame, networkAt + 2)
        : 40 + Octets.u16(frame, networkAt + 4);
  }

  void setTtl(int ttl) {
    frame[networkAt + (etherType == EtherTypes.IPV4 ? 8 : 7)] = (byte) ttl;
    ipv4Checksum();
  }

  private int typeOfService() {
    return etherType == EtherTypes.IPV4
        ? Octets.u8(frame, networkAt + 1)
        : Octets.u16(frame, networkAt) >>> 4 & 0xff;
  }

  private void setTypeOfService(int octet) {
    if (etherType == EtherTypes.IPV4) {
      frame[networkAt + 1] = (byte) octet;
      ipv4Checksum();
    } else {
      int word = (Octets.u16(frame, networkAt) & 0xf00f) | octet << 4;
      Octets.put(frame, networkAt, 2, word);
    }
  }

  /** An address is part of the transport checksum's pseudo header. */
  private void setAddress(int at, int count, long value) {
    int proto = Octets.u8(frame, networkAt + (etherType == EtherTypes.IPV4 ? 9 : 6));
    if (proto == EtherTypes.PROTO_ICMP) {
      Octets.put(frame, at, count, value);
    } else {
      setCovered(at, count, value);
    }
    ipv4Checksum();
  }

  private void setIpv6(int at, long high, long low) {
    setAddress(at, 8, high);
    setAddress(at + 8, 8, low);
  }

  /** Writes octets the transport checksum covers. */
  private void setCovered(int at, int count, long value) {
    int checksumAt = transportChecksumAt();
    long before = Octets.sum(frame, at, at + count, 0);
    Octets.put(frame, at, count, value);
    if (checksumAt < 0) {
      return;
    }
    int old = Octets.u16(frame, checksumAt);
    boolean udp = transportProto() == EtherTypes.PROTO_UDP;
    if (udp && old == 0 && etherType == EtherTypes.IPV4) {
      return; // the sender used no checksum (RFC 768)
    }
    long sum = (~old & 0xffff) + Octets.sum(frame, at, at + count, 0);
    sum += 0xffff - fold(before); // to subtract is to add the complement
    int checksum = Octets.checksum(sum);
    Octets.put(frame, checksumAt, 2, udp && checksum == 0 ? 0xffff : checksum);
  }

  private static long fold(long sum) {
    return ~Octets.checksum(sum) & 0xffff;
  }

  private int transportProto() {
    return Octets.u8(frame, networkAt + (etherType == EtherTypes.IPV4 ? 9 : 6));
  }

  private int transportChecksumAt() {
    int offset =
        switch (transportProto()) {
          case EtherTypes.PROTO_TCP -> 16;
          case EtherTypes.PROTO_UDP -> 6;
          case EtherTypes.PROTO_ICMP, EtherTypes.PROTO_ICMPV6 -> 2;
          default -> -1;
        };
    boolean there = offset >= 0 && frame.length >= transportAt + offset + 2;
    return there ? transportAt + offset : -1;
  }

  private void ipv4Checksum() {
    if (etherType != EtherTypes.IPV4) {
      return;
    }
    int headerBytes = (Octets.u8(frame, networkAt) & 15) * 4;
    if (headerBytes < 20 || frame.length < networkAt + headerBytes) {
      return;
    }
    Octets.put(frame, networkAt + 10, 2, 0);
    long sum = Octets.sum(frame, networkAt, networkAt + headerBytes, 0);
    Octets.put(frame, networkAt + 10, 2, Octets.checksum(sum));
  }
}
