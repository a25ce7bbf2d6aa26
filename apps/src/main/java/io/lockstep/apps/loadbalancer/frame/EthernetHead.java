package io.lockstep.apps.loadbalancer.frame;

import org.jspecify.annotations.Nullable;

/**
 * The head of an Ethernet frame with one tag at most.
 *
 * @param vlan id of the tag, 0 where there is none
 * @param payloadAt where the payload begins
 */
public record EthernetHead(long destination, long source, int vlan, int etherType, int payloadAt) {
  public static final int ARP = 0x0806;
  public static final int IPV4 = 0x0800;
  public static final long BROADCAST = 0xffff_ffff_ffffL;

  static final int ADDRESS_BYTES = 6;
  private static final int UNTAGGED_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int CUSTOMER_TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88a8;
  private static final int VLAN_MASK = 0xfff;

  /** Reads the head; null where the frame ends within it or has more than one tag. */
  public static @Nullable EthernetHead of(byte[] frame) {
    if (frame.length < UNTAGGED_BYTES) {
      return null;
    }
    int type = Octets.uint16(frame, UNTAGGED_BYTES - 2);
    int vlan = 0;
    int payloadAt = UNTAGGED_BYTES;
    if (type == CUSTOMER_TAG) {
      payloadAt += TAG_BYTES;
      if (frame.length < payloadAt) {
        return null;
      }
      vlan = Octets.uint16(frame, UNTAGGED_BYTES) & VLAN_MASK;
      type = Octets.uint16(frame, payloadAt - 2);
    }
    if (type == CUSTOMER_TAG || type == SERVICE_TAG) {
      return null;
    }
    return new EthernetHead(
        Octets.mac(frame, 0), Octets.mac(frame, ADDRESS_BYTES), vlan, type, payloadAt);
  }

  /**
   * A new frame with these addresses, the head's tag and type, and room for a payload.
   *
   * @param tagged a frame with the same tag, if there is one
   */
  byte[] begin(long to, long from, byte[] tagged, int payloadBytes) {
    byte[] frame = new byte[payloadAt + payloadBytes];
    Octets.putMac(frame, 0, to);
    Octets.putMac(frame, ADDRESS_BYTES, from);
    System.arraycopy(
        tagged, 2 * ADDRESS_BYTES, frame, 2 * ADDRESS_BYTES, payloadAt - 2 * ADDRESS_BYTES);
    return frame;
  }

  /** A new frame that answers no other one. */
  static byte[] begin(long to, long from, int vlan, int etherType, int payloadBytes) {
    int headBytes = vlan == 0 ? UNTAGGED_BYTES : UNTAGGED_BYTES + TAG_BYTES;
    byte[] frame = new byte[headBytes + payloadBytes];
    Octets.putMac(frame, 0, to);
    Octets.putMac(frame, ADDRESS_BYTES, from);
    if (vlan != 0) {
      Octets.put16(frame, UNTAGGED_BYTES - 2, CUSTOMER_TAG);
      Octets.put16(frame, UNTAGGED_BYTES, vlan);
    }
    Octets.put16(frame, headBytes - 2, etherType);
    return frame;
  }
}
