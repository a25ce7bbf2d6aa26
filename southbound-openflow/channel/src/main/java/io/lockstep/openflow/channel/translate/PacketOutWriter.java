package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.action.OFAction;

/**
 * Writes packet-outs (OpenFlow 1.3.5 section 7.3.7, 1.0 section 5.3.6) from the node's record,
 * without openflowj's objects in between; only changes that are not among those of {@link
 * ActionWriter} are made of its actions.
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
  private static final byte[] NO_DATA = {};

  private PacketOutWriter() {}

  /**
   * Refuses what does not fit an OpenFlow message.
   *
   * @throws IllegalArgumentException where it exceeds 65 535 bytes
   */
  public static void checkLength(PacketOut packetOut) {
    if (length(packetOut) > MAX_MESSAGE_BYTES) {
      throw tooLong(length(packetOut));
    }
  }

  /** As long as it is in OpenFlow 1.3, where it is longest. */
  private static int length(PacketOut packetOut) {
    return FIXED_BYTES + packetOut.outPorts().size() * OUTPUT_BYTES + data(packetOut).length;
  }

  /** The same for a treatment that {@link ActionWriter} writes. */
  static void checkLength(PacketOut packetOut, TrafficTreatment treatment) {
    int length = FIXED_BYTES + ActionWriter.length(treatment) + data(packetOut).length;
    if (length > MAX_MESSAGE_BYTES) {
      throw tooLong(length);
    }
  }

  /** The same for a packet whose treatment became {@code actions}. */
  static void checkLength(PacketOut packetOut, List<OFAction> actions) {
    ByteBuf written = write(actions, UnpooledByteBufAllocator.DEFAULT);
    int length = FIXED_BYTES + written.readableBytes() + data(packetOut).length;
    written.release();
    if (length > MAX_MESSAGE_BYTES) {
      throw tooLong(length);
    }
  }

  private static IllegalArgumentException tooLong(int length) {
    return new IllegalArgumentException(
        "packet-out of " + length + " bytes; OpenFlow allows " + MAX_MESSAGE_BYTES);
  }

  private static byte[] data(PacketOut packetOut) {
    return packetOut.bufferId() == PacketIn.NO_BUFFER ? packetOut.data() : NO_DATA;
  }

  /**
   * The whole message in a new buffer, which the caller owns.
   *
   * @param packetOut without a treatment, that passed {@link #checkLength}
   * @param xid the low 32 bits are used
   */
  public static ByteBuf write13(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    List<PortNumber> ports = packetOut.outPorts();
    ByteBuf out = begin13(packetOut, xid, ports.size() * OUTPUT_BYTES, allocator);
    for (int i = 0; i < ports.size(); i++) {
      out.writeShort(ACTION_OUTPUT);
      out.writeShort(OUTPUT_BYTES);
      out.writeInt(PortNumbers.toWire(ports.get(i)));
      out.writeShort(ports.get(i).equals(PortNumber.CONTROLLER) ? 0xffff : 0);
      out.writeZero(6);
    }
    return out.writeBytes(data(packetOut));
  }

  /** The same for a treatment that {@link ActionWriter} writes. */
  static ByteBuf write13(
      PacketOut packetOut, TrafficTreatment treatment, int xid, ByteBufAllocator allocator) {
    WireBytes actions = new WireBytes(ActionWriter.length(treatment));
    ActionWriter.write(treatment, actions);
    return begin13(packetOut, xid, actions.length(), allocator)
        .writeBytes(actions.array())
        .writeBytes(data(packetOut));
  }

  /** The same for a packet whose treatment became {@code actions}. */
  static ByteBuf write13(
      PacketOut packetOut, List<OFAction> actions, int xid, ByteBufAllocator allocator) {
    ByteBuf written = write(actions, allocator);
    ByteBuf out = begin13(packetOut, xid, written.readableBytes(), allocator);
    out.writeBytes(written).writeBytes(data(packetOut));
    written.release();
    return out;
  }

  private static ByteBuf begin13(
      PacketOut packetOut, int xid, int actionBytes, ByteBufAllocator allocator) {
    int length = FIXED_BYTES + actionBytes + data(packetOut).length;
    ByteBuf out = allocator.buffer(length, length);
    out.writeByte(VERSION_13);
    out.writeByte(TYPE_PACKET_OUT);
    out.writeShort(length);
    out.writeInt(xid);
    out.writeInt((int) packetOut.bufferId());
    out.writeInt(PortNumbers.toWire(packetOut.inPort()));
    out.writeShort(actionBytes);
    return out.writeZero(6);
  }

  private static ByteBuf write(List<OFAction> actions, ByteBufAllocator allocator) {
    ByteBuf written = allocator.buffer();
    for (OFAction action : actions) {
      action.writeTo(written);
    }
    return written;
  }

  /**
   * The same for OpenFlow 1.0 (section 5.3.6).
   *
   * @param packetOut whose ports have numbers there, see {@link PortNumbers#in10}
   */
  public static ByteBuf write10(PacketOut packetOut, int xid, ByteBufAllocator allocator) {
    List<PortNumber> ports = packetOut.outPorts();
    ByteBuf out = begin10(packetOut, xid, ports.size() * OUTPUT_BYTES_10, allocator);
    for (int i = 0; i < ports.size(); i++) {
      out.writeShort(ACTION_OUTPUT);
      out.writeShort(OUTPUT_BYTES_10);
      out.writeShort(PortNumbers.toWire(ports.get(i)));
      out.writeShort(ports.get(i).equals(PortNumber.CONTROLLER) ? 0xffff : 0);
    }
    return out.writeBytes(data(packetOut));
  }

  /** The same for a packet whose treatment became {@code actions}. */
  static ByteBuf write10(
      PacketOut packetOut, List<OFAction> actions, int xid, ByteBufAllocator allocator) {
    ByteBuf written = write(actions, allocator);
    ByteBuf out = begin10(packetOut, xid, written.readableBytes(), allocator);
    out.writeBytes(written).writeBytes(data(packetOut));
    written.release();
    return out;
  }

  private static ByteBuf begin10(
      PacketOut packetOut, int xid, int actionBytes, ByteBufAllocator allocator) {
    int length = FIXED_BYTES_10 + actionBytes + data(packetOut).length;
    boolean fromHere = packetOut.inPort().equals(PortNumber.CONTROLLER);
    ByteBuf out = allocator.buffer(length, length);
    out.writeByte(VERSION_10);
    out.writeByte(TYPE_PACKET_OUT);
    out.writeShort(length);
    out.writeInt(xid);
    out.writeInt((int) packetOut.bufferId());
    out.writeShort(fromHere ? NO_PORT_10 : PortNumbers.toWire(packetOut.inPort()));
    return out.writeShort(actionBytes);
  }
}
