package io.lockstep.core.packet;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import java.nio.ByteBuffer;
import java.util.List;
import org.onosproject.net.PortNumber;

/**
 * A frame that a switch sends to all controllers that listen: what a switch reports before it
 * belongs to its old master, what it reports behind it to the next one. A master sends it as a
 * packet-out to the port CONTROLLER, so it never leaves the switch, and no host can send one: a
 * host's frame comes in by a physical port. Pure.
 */
final class HandOverMark {
  /** IEEE 802, local experimental EtherType 1. */
  private static final short ETHER_TYPE = (short) 0x88b5;

  private static final int MAGIC = 0x4c6f636b;
  private static final int VERSION = 1;

  /** To an address that bridges do not forward: a node that expects no mark drops it. */
  private static final byte[] ADDRESSES = {
    0x01, (byte) 0x80, (byte) 0xc2, 0, 0, 0x0e, 0x02, 0x4c, 0x6f, 0x63, 0x6b, 0x01
  };

  /** The shortest frame of Ethernet, without its checksum. */
  private static final int BYTES = 60;

  private HandOverMark() {}

  /** The packet-out that makes the switch report a mark. */
  static PacketOut of(long dpid, long epoch) {
    return new PacketOut(
        PacketIn.NO_BUFFER,
        PortNumber.CONTROLLER,
        List.of(PortNumber.CONTROLLER),
        frame(dpid, epoch).array());
  }

  /** Whether the packet is the mark of a switch in an epoch. */
  static boolean is(PacketIn packet, long dpid, long epoch) {
    return packet.inPort().isLogical()
        && packet.data().length >= BYTES
        && ByteBuffer.wrap(packet.data(), 0, BYTES).equals(frame(dpid, epoch));
  }

  private static ByteBuffer frame(long dpid, long epoch) {
    ByteBuffer frame = ByteBuffer.allocate(BYTES);
    frame.put(ADDRESSES).putShort(ETHER_TYPE).putInt(MAGIC).put((byte) VERSION);
    return frame.putLong(dpid).putLong(epoch).clear();
  }
}
