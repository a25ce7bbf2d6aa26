package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.onosproject.net.PortNumber;

/**
 * Writes packet-outs (OpenFlow 1.3.5 section 7.3.7) from the node's record, without openflowj's
 * objects in between.
 */
public final class PacketOutWriter {
  private static final int VERSION_13 = 4;
  private static final int TYPE_PACKET_OUT = 13;
  private static final int FIXED_BYTES = 24;
  private static final int OUTPUT_BYTES = 16;
  private static final int ACTION_OUTPUT = 0;
  private static final int MAX_MESSAGE_BYTES = 0xffff;

  private PacketOutWriter() {}

  /**
   * The whole message in a new buffer, which the caller owns.
   *
   * @param xid the low 32 bits are used
   * @throws IllegalArgumentException where it exceeds the 65 535 bytes of an OpenFlow message
   */
  public static ByteBuf write13(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    boolean buffered = packetOut.bufferId() != PacketIn.NO_BUFFER;
    byte[] data = packetOut.data();
    List<PortNumber> ports = packetOut.outPorts();
    int actionsBytes = ports.size() * OUTPUT_BYTES;
    int length = FIXED_BYTES + actionsBytes + (buffered ? 0 : data.length);
    if (length > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "packet-out of " + length + " bytes; OpenFlow allows " + MAX_MESSAGE_BYTES);
    }
    ByteBuf out = allocator.buffer(length, length);
    out.writeByte(VERSION_13);
    out.writeByte(TYPE_PACKET_OUT);
    out.writeShort(length);
    out.writeInt(xid);
    out.writeInt((int) packetOut.bufferId());
    out.writeInt(PortNumbers.toWire(packetOut.inPort()));
    out.writeShort(actionsBytes);
    out.writeZero(6);
    for (int i = 0; i < ports.size(); i++) {
      out.writeShort(ACTION_OUTPUT);
      out.writeShort(OUTPUT_BYTES);
      out.writeInt(PortNumbers.toWire(ports.get(i)));
      out.writeShort(ports.get(i).equals(PortNumber.CONTROLLER) ? 0xffff : 0);
      out.writeZero(6);
    }
    if (!buffered) {
      out.writeBytes(data);
    }
    return out;
  }
}
