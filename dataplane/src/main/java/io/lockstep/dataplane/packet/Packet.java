package io.lockstep.dataplane.packet;

import io.lockstep.dataplane.packet.OxmField.Layer;

/**
 * One frame on its way through a pipeline: its bytes, and its header fields parsed only as deep as
 * somebody asks. Reading never fails: a field the frame does not carry, or that is cut off, is
 * absent and reads as zero. Editing copies the bytes first when they are shared, and keeps the IPv4
 * header, TCP, UDP and ICMPv6 checksums right.
 *
 * <p>Owned by one thread. The arrays from {@link #bytes()} are shared and must not be written to.
 */
public final class Packet {
  private static final int ETHERNET_BYTES = 14;

  /** LLC (both service access points 0xaa, unnumbered information), then organisation and type. */
  private static final int SNAP_BYTES = 8;

  private static final long LLC_SNAP_WITHOUT_ORGANISATION = 0xaaaa_0300_0000L;

  private final int inPort;
  private final long[] slots = new long[OxmField.SLOTS];
  private byte[] frame;
  private boolean shared = true;
  private Layer parsed = Layer.PIPELINE;
  private long present;
  private long metadata;
  private int networkAt;
  private int transportAt;
  private int etherType;

  /**
   * @param frame an Ethernet frame without its check sequence; not copied
   * @param inPort the port it came in by
   */
  public Packet(byte[] frame, int inPort) {
    this.frame = frame;
    this.inPort = inPort;
    startOver();
  }

  /** The frame as it is now; later edits do not change the returned array. */
  public byte[] bytes() {
    shared = true;
    return frame;
  }

  /** Octets in the frame. */
  public int length() {
    return frame.length;
  }

  /** The port the frame came in by. */
  public int inPort() {
    return inPort;
  }

  /** The register that write-metadata changes (OpenFlow 1.3.5 section 5.9). */
  public long metadata() {
    return metadata;
  }

  /** Sets the bits of the metadata register that {@code mask} selects. */
  public void writeMetadata(long value, long mask) {
    metadata = (metadata & ~mask) | (value & mask);
    slots[OxmField.METADATA.slot()] = metadata;
  }

  /** One word of a field, see {@link OxmField#slot()}; zero where absent. */
  public long slot(int index) {
    Layer needed = OxmField.ofSlot(index).layer();
    if (needed.compareTo(parsed) > 0) {
      parseTo(needed);
    }
    return slots[index];
  }

  /** First word of a field; zero where absent. */
  public long get(OxmField field) {
    return slot(field.slot());
  }

  /** Whether the frame carries this field. VLAN_VID is always there: zero means untagged. */
  public boolean has(OxmField field) {
    parseTo(field.layer());
    return (present & 1L << field.slot()) != 0;
  }

  /** Whether all fields whose first slots are set in {@code slotBits} are there. */
  public boolean hasAll(long slotBits, Layer deepest) {
    if (deepest.compareTo(parsed) > 0) {
      parseTo(deepest);
    }
    return (slotBits & ~present) == 0;
  }

  private void startOver() {
    parsed = Layer.PIPELINE;
    present = 0;
    put(OxmField.IN_PORT, inPort & 0xffff_ffffL);
    put(OxmField.METADATA, metadata);
  }

  private void put(OxmField field, long value) {
    slots[field.slot()] = value;
    present |= 1L << field.slot();
  }

  private void parseTo(Layer wanted) {
    while (parsed.compareTo(wanted) < 0) {
      switch (parsed) {
        case PIPELINE -> {
          parseLink();
          parsed = Layer.LINK;
        }
        case LINK -> {
          parseNetwork();
          parsed = Layer.NETWORK;
        }
        case NETWORK -> {
          parseTransport();
          parsed = Layer.TRANSPORT;
        }
        case TRANSPORT -> throw new AssertionError("nothing lies deeper");
      }
    }
  }

  private void parseLink() {
    for (int i = OxmField.ETH_DST.slot(); i < OxmField.SLOTS; i++) {
      slots[i] = 0;
    }
    networkAt = frame.length;
    transportAt = frame.length;
    etherType = 0;
    if (frame.length < ETHERNET_BYTES) {
      return;
    }
    put(OxmField.ETH_DST, Octets.u48(frame, 0));
    put(OxmField.ETH_SRC, Octets.u48(frame, 6));
    int at = 12;
    int type = Octets.u16(frame, at);
    put(OxmField.VLAN_VID, 0);
    if (EtherTypes.isVlan(type) && frame.length >= at + 6) {
      int tag = Octets.u16(frame, at + 2);
      put(OxmField.VLAN_VID, (tag & 0xfff) | OxmField.VLAN_PRESENT);
      put(OxmField.VLAN_PCP, tag >>> 13);
      // Only the outermost tag matches; ETH_TYPE is what follows all tags (section 7.2.3.8).
      while (EtherTypes.isVlan(type) && frame.length >= at + 6) {
        at += 4;
        type = Octets.u16(frame, at);
      }
    }
    networkAt = at + 2;
    etherType = type < EtherTypes.LEAST ? typeOf8023() : type;
    put(OxmField.ETH_TYPE, etherType);
  }

  /**
   * The type of an 802.3 frame: that in its SNAP header where the organisation is 0, and then the
   * network layer follows; else none. OpenFlow 1.0 section 3.1, table 3; 1.3.5 is silent, and Open
   * vSwitch does the same for all versions.
   */
  private int typeOf8023() {
    boolean snap =
        frame.length >= networkAt + SNAP_BYTES
            && Octets.u48(frame, networkAt) == LLC_SNAP_WITHOUT_ORGANISATION;
    int type = snap ? Octets.u16(frame, networkAt + 6) : 0;
    if (type < EtherTypes.LEAST) {
      return EtherTypes.NONE;
    }
    networkAt += SNAP_BYTES;
    return type;
  }

  private void parseNetwork() {
    switch (etherType) {
      case EtherTypes.IPV4 -> parseIpv4(networkAt);
      case EtherTypes.IPV6 -> parseIpv6(networkAt);
      case EtherTypes.ARP -> parseArp(networkAt);
      case EtherTypes.MPLS, EtherTypes.MPLS_MULTICAST -> parseMpls(networkAt);
      default -> transportAt = frame.length;
    }
  }

  private void parseIpv4(int at) {
    if (frame.length < at + 20 || Octets.u8(frame, at) >>> 4 != 4) {
      return;
    }
    int headerBytes = (Octets.u8(frame, at) & 15) * 4;
    putTypeOfService(Octets.u8(frame, at + 1));
    put(OxmField.IP_PROTO, Octets.u8(frame, at + 9));
    put(OxmField.IPV4_SRC, Octets.u32(frame, at + 12));
    put(OxmField.IPV4_DST, Octets.u32(frame, at + 16));
    boolean laterFragment = (Octets.u16(frame, at + 6) & 0x1fff) != 0;
    if (!laterFragment && headerBytes >= 20) {
      transportAt = Math.min(frame.length, at + headerBytes);
    }
  }

  private void parseIpv6(int at) {
    if (frame.length < at + 40 || Octets.u8(frame, at) >>> 4 != 6) {
      return;
    }
    putTypeOfService(Octets.u16(frame, at) >>> 4 & 0xff);
    put(OxmField.IP_PROTO, Octets.u8(frame, at + 6));
    put(OxmField.IPV6_FLABEL, Octets.u32(frame, at) & 0xf_ffff);
    putAddress(OxmField.IPV6_SRC, at + 8);
    putAddress(OxmField.IPV6_DST, at + 24);
    transportAt = at + 40;
  }

  private void putAddress(OxmField field, int at) {
    put(field, Octets.u64(frame, at));
    slots[field.slot() + 1] = Octets.u64(frame, at + 8);
  }

  private void putTypeOfService(int octet) {
    put(OxmField.IP_DSCP, octet >>> 2);
    put(OxmField.IP_ECN, octet & 3);
  }

  /** The outermost label; what lies below the stack is not known (section 7.2.3.7). */
  private void parseMpls(int at) {
    transportAt = frame.length;
    if (frame.length < at + 4) {
      return;
    }
    long entry = Octets.u32(frame, at);
    put(OxmField.MPLS_LABEL, entry >>> 12);
    put(OxmField.MPLS_TC, entry >>> 9 & 7);
    put(OxmField.MPLS_BOS, entry >>> 8 & 1);
  }

  private void parseArp(int at) {
    if (frame.length < at + 28 || Octets.u16(frame, at + 4) != 0x0604) {
      return;
    }
    put(OxmField.ARP_OP, Octets.u16(frame, at + 6));
    put(OxmField.ARP_SHA, Octets.u48(frame, at + 8));
    put(OxmField.ARP_SPA, Octets.u32(frame, at + 14));
    put(OxmField.ARP_THA, Octets.u48(frame, at + 18));
    put(OxmField.ARP_TPA, Octets.u32(frame, at + 24));
  }

  private void parseTransport() {
    if (!hasParsed(OxmField.IP_PROTO) || frame.length < transportAt + 4) {
      return;
    }
    int proto = (int) slots[OxmField.IP_PROTO.slot()];
    boolean v6 = etherType == EtherTypes.IPV6;
    if (proto == EtherTypes.PROTO_TCP) {
      put(OxmField.TCP_SRC, Octets.u16(frame, transportAt));
      put(OxmField.TCP_DST, Octets.u16(frame, transportAt + 2));
    } else if (proto == EtherTypes.PROTO_UDP) {
      put(OxmField.UDP_SRC, Octets.u16(frame, transportAt));
      put(OxmField.UDP_DST, Octets.u16(frame, transportAt + 2));
    } else if (proto == EtherTypes.PROTO_SCTP) {
      put(OxmField.SCTP_SRC, Octets.u16(frame, transportAt));
      put(OxmField.SCTP_DST, Octets.u16(frame, transportAt + 2));
    } else if (proto == EtherTypes.PROTO_ICMP && !v6) {
      put(OxmField.ICMPV4_TYPE, Octets.u8(frame, transportAt));
      put(OxmField.ICMPV4_CODE, Octets.u8(frame, transportAt + 1));
    } else if (proto == EtherTypes.PROTO_ICMPV6 && v6) {
      put(OxmField.ICMPV6_TYPE, Octets.u8(frame, transportAt));
      put(OxmField.ICMPV6_CODE, Octets.u8(frame, transportAt + 1));
      parseNeighbour();
    }
  }

  /** Target and link-layer address of a neighbour message (RFC 4861 sections 4.3, 4.4, 4.6.1). */
  private void parseNeighbour() {
    int type = Octets.u8(frame, transportAt);
    boolean solicits = type == EtherTypes.NEIGHBOUR_SOLICITATION;
    boolean neighbour = solicits || type == EtherTypes.NEIGHBOUR_ADVERTISEMENT;
    boolean whole = frame.length >= transportAt + NeighbourOptions.AT;
    if (!neighbour || !whole || Octets.u8(frame, transportAt + 1) != 0) {
      return;
    }
    putAddress(OxmField.IPV6_ND_TARGET, transportAt + 8);
    OxmField field = solicits ? OxmField.IPV6_ND_SLL : OxmField.IPV6_ND_TLL;
    int option = NeighbourOptions.find(frame, transportAt, field);
    if (option >= 0) {
      put(field, Octets.u48(frame, option + 2));
    }
  }

  private boolean hasParsed(OxmField field) {
    return (present & 1L << field.slot()) != 0;
  }

  /**
   * Overwrites one header field (set-field, OpenFlow 1.3.5 section 5.12).
   *
   * @param high the value; for the IPv6 addresses its high half
   * @param low the low half of an IPv6 address, else ignored
   * @return false, with nothing changed, when the frame does not carry the field
   */
  public boolean set(OxmField field, long high, long low) {
    boolean fixed = field == OxmField.ETH_TYPE || field == OxmField.IP_PROTO;
    if (fixed || field.layer() == Layer.PIPELINE || !has(field)) {
      return false;
    }
    if (field.compareTo(OxmField.VLAN_VID) >= 0
        && field.compareTo(OxmField.VLAN_PCP) <= 0
        && get(OxmField.VLAN_VID) == 0) {
      return false;
    }
    parseTo(Layer.TRANSPORT);
    new FrameEdit(writable(), networkAt, transportAt, etherType).set(field, high, low);
    startOver();
    return true;
  }

  /** Adds an outermost tag that copies VLAN id and priority of the present one, else zero. */
  public void pushVlan(int tagType) {
    parseTo(Layer.LINK);
    if (frame.length < ETHERNET_BYTES) {
      return;
    }
    long id = slots[OxmField.VLAN_VID.slot()] & 0xfff;
    long tag = slots[OxmField.VLAN_PCP.slot()] << 13 | id;
    byte[] tagged = new byte[frame.length + 4];
    System.arraycopy(frame, 0, tagged, 0, 12);
    Octets.put(tagged, 12, 2, tagType);
    Octets.put(tagged, 14, 2, tag);
    System.arraycopy(frame, 12, tagged, 16, frame.length - 12);
    replace(tagged);
  }

  /**
   * Takes the outermost tag off.
   *
   * @return false when there is none
   */
  public boolean popVlan() {
    if (get(OxmField.VLAN_VID) == 0) {
      return false;
    }
    byte[] untagged = new byte[frame.length - 4];
    System.arraycopy(frame, 0, untagged, 0, 12);
    System.arraycopy(frame, 16, untagged, 12, untagged.length - 12);
    replace(untagged);
    return true;
  }

  /** The IPv4 time to live or IPv6 hop limit, 0 to 255; -1 when the frame is not IP. */
  public int ttl() {
    parseTo(Layer.NETWORK);
    if (!hasParsed(OxmField.IP_PROTO)) {
      return -1;
    }
    return Octets.u8(frame, networkAt + (etherType == EtherTypes.IPV4 ? 8 : 7));
  }

  /** Writes time to live or hop limit; a frame that is not IP stays as it is. */
  public void setTtl(int ttl) {
    if (ttl() >= 0) {
      new FrameEdit(writable(), networkAt, transportAt, etherType).setTtl(ttl);
    }
  }

  private byte[] writable() {
    if (shared) {
      frame = frame.clone();
      shared = false;
    }
    return frame;
  }

  private void replace(byte[] bytes) {
    frame = bytes;
    shared = false;
    startOver();
  }
}
