package io.lockstep.core.host;

import java.nio.ByteBuffer;

/** Asks a host whether it is still there: an ARP probe (RFC 5227 section 2.1.1). */
final class ArpProbe {

  /** Source of probes: locally administered, of no host. What is sent to it is for the node. */
  static final long SENDER = 0x024c_5350_0001L;

  private static final int FRAME_BYTES = 60;

  private ArpProbe() {}

  /**
   * The frame.
   *
   * @param vlan VLAN id, or -1 for an untagged frame
   */
  static byte[] frame(long targetMac, int vlan, int targetIp) {
    ByteBuffer out = ByteBuffer.allocate(FRAME_BYTES);
    mac(out, targetMac);
    mac(out, SENDER);
    if (vlan >= 0) {
      out.putShort((short) 0x8100).putShort((short) vlan);
    }
    out.putShort((short) 0x0806).putShort((short) 1).putShort((short) 0x0800);
    out.put((byte) 6).put((byte) 4).putShort((short) 1);
    mac(out, SENDER);
    out.putInt(0);
    mac(out, 0);
    out.putInt(targetIp);
    return out.array();
  }

  private static void mac(ByteBuffer out, long mac) {
    out.putShort((short) (mac >>> 32)).putInt((int) mac);
  }
}
