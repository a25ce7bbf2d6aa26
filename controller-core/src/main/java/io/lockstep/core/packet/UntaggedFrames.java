package io.lockstep.core.packet;

import io.lockstep.core.southbound.PacketIn;

/**
 * Packets of a switch that carries frames without a VLAN tag in a VLAN of its own (docs/adr/0053).
 * It may hand a frame up with the tag of that VLAN, or as it came: no public document says. Either
 * way it is a frame without a tag. Pure.
 */
final class UntaggedFrames {
  private static final int TAG_AT = 12;
  private static final int TAG_BYTES = 4;
  private static final int CUSTOMER_TAG = 0x8100;
  private static final int VLAN_MASK = 0xfff;

  private UntaggedFrames() {}

  /**
   * The packet without the tag of a VLAN.
   *
   * @param vlan 0 for none
   */
  static PacketIn of(PacketIn packet, int vlan) {
    byte[] tagged = packet.data();
    if (vlan == 0 || tagged.length < TAG_AT + TAG_BYTES || uint16(tagged, TAG_AT) != CUSTOMER_TAG) {
      return packet;
    }
    if ((uint16(tagged, TAG_AT + 2) & VLAN_MASK) != vlan) {
      return packet;
    }
    byte[] frame = new byte[tagged.length - TAG_BYTES];
    System.arraycopy(tagged, 0, frame, 0, TAG_AT);
    System.arraycopy(tagged, TAG_AT + TAG_BYTES, frame, TAG_AT, frame.length - TAG_AT);
    // The switch's buffer holds the frame with its tag, so it is of no use.
    return new PacketIn(
        PacketIn.NO_BUFFER,
        packet.tableId(),
        packet.inPort(),
        packet.reason(),
        packet.cookie(),
        frame,
        packet.totalLength() - TAG_BYTES);
  }

  private static int uint16(byte[] frame, int at) {
    return (frame[at] & 0xff) << 8 | (frame[at + 1] & 0xff);
  }
}
