package io.lockstep.bench.variant;

import io.lockstep.core.packet.FrameView;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteWriter;

/**
 * What the paper's device manager takes from a packet of a device.
 *
 * @param source MAC address
 * @param target MAC address, 0 where the packet is to a group
 * @param vlan of the packet, 0 for none
 * @param sourceIp IPv4 address of the source, 0 where the packet does not show it
 * @param dpid the switch, and the port there
 * @param timeMillis when it came in, since 1970
 */
public record DevicePacket(
    long source, long target, int vlan, int sourceIp, long dpid, long port, long timeMillis) {
  private static final int ARP = 0x0806;
  private static final int IPV4 = 0x0800;
  private static final int ARP_SENDER_IP_AT = 14;
  private static final int IPV4_SOURCE_AT = 12;
  private static final int HEADER_BYTES = 20;

  static DevicePacket of(FrameView packet, long timeMillis) {
    byte[] frame = packet.frame();
    int payload = packet.payloadOffset();
    int ip = 0;
    if (frame.length >= payload + HEADER_BYTES) {
      if (packet.etherType() == ARP) {
        ip = (int) number(frame, payload + ARP_SENDER_IP_AT, 4);
      } else if (packet.etherType() == IPV4) {
        ip = (int) number(frame, payload + IPV4_SOURCE_AT, 4);
      }
    }
    return new DevicePacket(
        packet.sourceNumber(),
        (frame[0] & 1) != 0 ? 0 : number(frame, 0, 6),
        Math.max(packet.vlanId(), 0),
        ip,
        packet.dpid(),
        packet.inPort().toLong(),
        timeMillis);
  }

  private static long number(byte[] from, int at, int bytes) {
    long value = 0;
    for (int i = at; i < at + bytes; i++) {
      value = value << 8 | (from[i] & 0xff);
    }
    return value;
  }

  /** The source's key in the table of MAC addresses. */
  Bytes sourceKey() {
    return macKey(source);
  }

  /** The same of the target; empty where there is none. */
  Bytes targetKey() {
    return target == 0 ? Bytes.empty() : macKey(target);
  }

  private Bytes macKey(long mac) {
    return new ByteWriter(8).int16((int) (mac >>> 32)).int32((int) mac).int16(vlan).toBytes();
  }
}
