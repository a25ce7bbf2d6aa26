package io.lockstep.bench.openflow;

import io.netty.buffer.ByteBuf;

/**
 * Writes packet-ins (OpenFlow 1.3.5 section 7.4.1) without a buffer, reason "no match", with the
 * whole frame: a UDP datagram of a flow, or the ARP announcement of a host.
 */
public final class PacketIns {
  /** The broadcast address. */
  static final long BROADCAST = 0xffff_ffff_ffffL;

  private static final int VERSION = 4;
  private static final int TYPE = 10;
  private static final int HEAD_BYTES = 42;
  private static final int FRAME_BYTES = 60;
  private static final int NO_BUFFER = -1;
  private static final int MATCH_BYTES = 12;
  private static final int OXM_IN_PORT = 0x8000_0004;
  private static final int ETHER_TYPE_IPV4 = 0x0800;
  private static final int ETHER_TYPE_ARP = 0x0806;
  private static final int UDP = 17;
  private static final int IP_BYTES = FRAME_BYTES - 14;
  private static final int DISCARD_PORT = 9;
  private static final int TCP = 6;
  private static final int HTTP_PORT = 80;
  private static final int IP_HEAD_BYTES = 20;
  private static final int TCP_BYTES = 20;

  /** Five words of header, and the flag. */
  private static final int SYN = 0x5002;

  private PacketIns() {}

  /** The first packet of a flow: UDP from {@code source} to {@code destination}. */
  static void flow(ByteBuf out, LoadPlan plan, int index, int source, int destination, int xid) {
    int end = begin(out, plan.port(source), xid);
    ethernet(out, plan.mac(index, destination), plan.mac(index, source), ETHER_TYPE_IPV4);
    int ip = out.writerIndex();
    out.writeShort(0x4500).writeShort(IP_BYTES).writeInt(0).writeByte(64).writeByte(UDP);
    out.writeShort(0).writeInt(plan.ip(index, source)).writeInt(plan.ip(index, destination));
    out.setShort(ip + 10, ipChecksum(out, ip));
    out.writeShort(DISCARD_PORT).writeShort(DISCARD_PORT).writeShort(IP_BYTES - 20).writeShort(0);
    out.writeZero(end - out.writerIndex());
  }

  /** The first packet of a TCP connection from a host to the virtual IP of its switch. */
  static void syn(ByteBuf out, LoadPlan plan, int index, int source, int sourcePort, int xid) {
    int end = begin(out, plan.port(source), xid);
    long virtual = plan.mac(index, LoadPlan.VIRTUAL);
    ethernet(out, virtual, plan.mac(index, source), ETHER_TYPE_IPV4);
    int ip = out.writerIndex();
    out.writeShort(0x4500).writeShort(IP_HEAD_BYTES + TCP_BYTES).writeInt(0);
    out.writeByte(64).writeByte(TCP).writeShort(0);
    out.writeInt(plan.ip(index, source)).writeInt(plan.virtualIp(index));
    out.setShort(ip + 10, ipChecksum(out, ip));
    out.writeShort(sourcePort).writeShort(HTTP_PORT).writeInt(sourcePort).writeInt(0);
    out.writeShort(SYN).writeShort(0xffff).writeInt(0);
    out.writeZero(end - out.writerIndex());
  }

  /** A gratuitous ARP request of the host. */
  static void announcement(ByteBuf out, LoadPlan plan, int index, int host, int xid) {
    int end = begin(out, plan.port(host), xid);
    ethernet(out, BROADCAST, plan.mac(index, host), ETHER_TYPE_ARP);
    out.writeShort(1).writeShort(ETHER_TYPE_IPV4).writeByte(6).writeByte(4).writeShort(1);
    mac(out, plan.mac(index, host));
    out.writeInt(plan.ip(index, host));
    mac(out, 0);
    out.writeInt(plan.ip(index, host));
    out.writeZero(end - out.writerIndex());
  }

  /** The ARP reply of a host to who asked for its address (RFC 826). */
  static void arpReply(ByteBuf out, LoadPlan plan, int index, int host, long asker, int xid) {
    int end = begin(out, plan.port(host), xid);
    ethernet(out, asker, plan.mac(index, host), ETHER_TYPE_ARP);
    out.writeShort(1).writeShort(ETHER_TYPE_IPV4).writeByte(6).writeByte(4).writeShort(2);
    mac(out, plan.mac(index, host));
    out.writeInt(plan.ip(index, host));
    mac(out, asker);
    out.writeInt(0);
    out.writeZero(end - out.writerIndex());
  }

  /** A packet-in with any frame. */
  public static void frame(ByteBuf out, int inPort, byte[] frame, int xid) {
    begin(out, inPort, frame.length, xid);
    out.writeBytes(frame);
  }

  private static int begin(ByteBuf out, int inPort, int xid) {
    return begin(out, inPort, FRAME_BYTES, xid);
  }

  /** Writes all up to the frame and says where the message will end. */
  private static int begin(ByteBuf out, int inPort, int frameBytes, int xid) {
    int end = out.writerIndex() + HEAD_BYTES + frameBytes;
    out.writeByte(VERSION).writeByte(TYPE).writeShort(HEAD_BYTES + frameBytes).writeInt(xid);
    out.writeInt(NO_BUFFER).writeShort(frameBytes).writeByte(0).writeByte(0).writeLong(0);
    out.writeShort(1).writeShort(MATCH_BYTES).writeInt(OXM_IN_PORT).writeInt(inPort).writeInt(0);
    out.writeShort(0);
    return end;
  }

  private static void ethernet(ByteBuf out, long destination, long source, int etherType) {
    mac(out, destination);
    mac(out, source);
    out.writeShort(etherType);
  }

  private static void mac(ByteBuf out, long address) {
    out.writeShort((int) (address >>> 32)).writeInt((int) address);
  }

  /** RFC 1071 over the 20 bytes of the header, its checksum field still 0. */
  private static int ipChecksum(ByteBuf out, int at) {
    int sum = 0;
    for (int i = 0; i < 20; i += 2) {
      sum += out.getUnsignedShort(at + i);
    }
    sum = (sum >>> 16) + (sum & 0xffff);
    sum += sum >>> 16;
    return ~sum & 0xffff;
  }
}
