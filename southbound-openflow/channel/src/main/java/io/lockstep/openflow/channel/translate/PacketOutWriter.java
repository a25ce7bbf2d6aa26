package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;
import org.onosproject.net.PortNumber;

/**
 * Writes packet-outs (OpenFlow 1.3.5 section 7.3.7, 1.0 section 5.3.6) from the node's record,
 * without openflowj's objects in between.
 */
public final class PacketOutWriter {
  private static final int VERSION_10 = 1;
  private static final int VERSION_13 = 4;
  private static final int TYPE_PACKET_OUT = 13;
  private static final int FIXED_BYTES = 24;
  private static final int OUTPUT_BYTES = 16;
  private static final int FIXED_BYTES_10 = 16;
  private static final int OUTPUT_BYTES_10 = 8;

  /** {@code OFPP_NONE}: the packet did not come in by a port. */
  private static final int NO_PORT_10 = 0xffff;

  private static final int ACTION_OUTPUT = 0;
  private static final int MAX_MESSAGE_BYTES = 0xffff;

  private PacketOutWriter() {}

  /**
   * Refuses what does not fit an OpenFlow message.
   *
   * @throws IllegalArgumentException where it exceeds 65 535 bytes
   */
  public static void checkLength(PacketOut packetOut) {
    if (length(packetOut) > MAX_MESSAGE_BYTES) {
      throw new IllegalArgumentException(
          "packet-out of " + length(packetOut) + " bytes; OpenFlow allows " + MAX_MESSAGE_BYTES);
    }
  }

  private static int length(PacketOut packetOut) {
    boolean buffered = packetOut.bufferId() != PacketIn.NO_BUFFER;
    return FIXED_BYTES
        + packetOut.outPorts().size() * OUTPUT_BYTES
        + (buffered ? 0 : packetOut.data().length);
  }

  /**
   * The whole message in a new buffer, which the caller owns.
   *
   * @param packetOut that passed {@link #checkLength}
   * @param xid the low 32 bits are used
   */
  public static ByteBuf write13(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    boolean buffered = packetOut.bufferId() != PacketIn.NO_BUFFER;
    List<PortNumber> ports = packetOut.outPorts();
    int length = length(packetOut);
    ByteBuf out = allocator.buffer(length, length);
    out.writeByte(VERSION_13);
    out.writeByte(TYPE_PACKET_OUT);
    out.writeShort(length);
    out.writeInt(xid);
    out.writeInt((int) packetOut.bufferId());
    out.writeInt(PortNumbers.toWire(packetOut.inPort()));
    out.writeShort(ports.size() * OUTPUT_BYTES);
    out.writeZero(6);
    for (int i = 0; i < ports.size(); i++) {
      out.writeShort(ACTION_OUTPUT);
      out.writeShort(OUTPUT_BYTES);
      out.writeInt(PortNumbers.toWire(ports.get(i)));
      out.writeShort(ports.get(i).equals(PortNumber.CONTROLLER) ? 0xffff : 0);
      out.writeZero(6);
    }
    if (!buffered) {
      out.writeBytes(packetOut.data());
    }
    return out;
  }

  /**
   * The same for OpenFlow 1.0 (section 5.3.6).
   *
   * @param packetOut whose ports have numbers there, see {@link PortNumbers#in10}
   */
  public static ByteBuf write10(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    boolean buffered = packetOut.bufferId() != PacketIn.NO_BUFFER;
    List<PortNumber> ports = packetOut.outPorts();
    int actionBytes = ports.size() * OUTPUT_BYTES_10;
    int length = FIXED_BYTES_10 + actionBytes + (buffered ? 0 : packetOut.data().length);
    boolean fromHere = packetOut.inPort().equals(PortNumber.CONTROLLER);
    ByteBuf out = allocator.buffer(length, length);
    out.writeByte(VERSION_10);
    out.writeByte(TYPE_PACKET_OUT);
    out.writeShort(length);
    out.writeInt(xid);
    out.writeInt((int) packetOut.bufferId());
    out.writeShort(fromHere ? NO_PORT_10 : PortNumbers.toWire(packetOut.inPort()));
    out.writeShort(actionBytes);
    for (int i = 0; i < ports.size(); i++) {
      out.writeShort(ACTION_OUTPUT);
      out.writeShort(OUTPUT_BYTES_10);
      out.writeShort(PortNumbers.toWire(ports.get(i)));
      out.writeShort(ports.get(i).equals(PortNumber.CONTROLLER) ? 0xffff : 0);
    }
    if (!buffered) {
      out.writeBytes(packetOut.data());
    }
    return out;
  }
}
