package io.lockstep.core.packet;

import io.lockstep.core.southbound.PacketIn;
import java.nio.ByteBuffer;
import org.onosproject.net.PortNumber;

/** Frames for tests. */
public final class Frames {
  private Frames() {}

  /** An Ethernet frame of 60 bytes. */
  public static byte[] ethernet(long destination, long source, int etherType) {
    return ByteBuffer.allocate(60)
        .put(address(destination))
        .put(address(source))
        .putShort((short) etherType)
        .array();
  }

  /** An ARP request or reply (RFC 826). */
  public static byte[] arp(
      int operation, long senderMac, int senderIp, long targetMac, int targetIp) {
    long destination = operation == 1 ? 0xffff_ffff_ffffL : targetMac;
    ByteBuffer frame = ByteBuffer.wrap(ethernet(destination, senderMac, 0x0806)).position(14);
    frame.putShort((short) 1).putShort((short) 0x0800).put((byte) 6).put((byte) 4);
    frame.putShort((short) operation).put(address(senderMac)).putInt(senderIp);
    frame.put(address(targetMac)).putInt(targetIp);
    return frame.array();
  }

  private static byte[] address(long mac) {
    byte[] address = new byte[6];
    for (int i = 0; i < 6; i++) {
      address[i] = (byte) (mac >>> (40 - 8 * i));
    }
    return address;
  }

  /** A packet-in with the whole frame. */
  public static PacketIn whole(long port, byte[] frame) {
    return new PacketIn(
        PacketIn.NO_BUFFER,
        0,
        PortNumber.portNumber(port),
        PacketIn.Reason.NO_MATCH,
        0,
        frame,
        frame.length);
  }

  /** A packet-in whose frame the switch keeps. */
  public static PacketIn buffered(long port, long bufferId, byte[] frame) {
    return new PacketIn(
        bufferId,
        0,
        PortNumber.portNumber(port),
        PacketIn.Reason.NO_MATCH,
        0,
        frame,
        frame.length + 1_000);
  }
}
