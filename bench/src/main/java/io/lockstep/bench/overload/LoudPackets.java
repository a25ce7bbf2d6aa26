package io.lockstep.bench.overload;

import io.lockstep.bench.overload.OverloadRow.Protocol;
import java.nio.ByteBuffer;

/**
 * The packet-ins of one switch, and how its controller's answers name them. Sources cycle through
 * {@link #SOURCES} addresses, which sit at one port or at {@link #MANY}; all send to hosts at
 * another port. The switch buffers each packet, so an answer has the buffer's id. Pure.
 */
final class LoudPackets {
  /** Addresses that send; as many as a learning switch keeps at one port, about. */
  static final int SOURCES = 1_000;

  /** Hosts that are sent to. */
  static final int DESTINATIONS = 16;

  /** Ports by which packets come in where they are many. */
  static final int MANY = 16;

  /** The port of the hosts that are sent to; sources are behind it. */
  static final int DESTINATION_PORT = 1;

  /** Ports of a switch. */
  static final int PORTS = DESTINATION_PORT + MANY;

  /** No buffer: such a message answers no packet-in. */
  static final int NO_BUFFER = -1;

  private static final int FRAME_BYTES = 60;
  private static final int TYPE_FLOW_MOD = 14;
  static final int TYPE_PACKET_OUT = 13;
  private static final long LOCAL_UNICAST = 0x02L << 40;
  private static final long BROADCAST = 0xffff_ffff_ffffL;
  private static final int IPV4 = 0x0800;
  private static final int ARP = 0x0806;

  private final Protocol protocol;
  private final long dpid;
  private final boolean manyPorts;

  LoudPackets(Protocol protocol, long dpid, boolean manyPorts) {
    this.protocol = protocol;
    this.dpid = dpid;
    this.manyPorts = manyPorts;
  }

  /** Length of each message. */
  int bytes() {
    return FRAME_BYTES + (protocol == Protocol.V10 ? 18 : 42);
  }

  private long mac(int host) {
    return LOCAL_UNICAST | (dpid & 0xffff) << 24 | host;
  }

  /** Adds the packet with this number; the number, without its sign, is the buffer's id. */
  void put(ByteBuffer out, int number) {
    int source = number % SOURCES;
    int port = DESTINATION_PORT + 1 + (manyPorts ? source % MANY : 0);
    head(out, number, port);
    frame(out, mac(SOURCES + number % DESTINATIONS), mac(source), IPV4);
  }

  /** Adds a packet by which a host that is sent to shows where it is. */
  void announce(ByteBuffer out, int number, int host) {
    head(out, number, DESTINATION_PORT);
    frame(out, BROADCAST, mac(SOURCES + host), ARP);
  }

  private void head(ByteBuffer out, int number, int port) {
    out.put((byte) protocol.wireVersion).put((byte) 10).putShort((short) bytes()).putInt(0);
    out.putInt(number & Integer.MAX_VALUE).putShort((short) FRAME_BYTES);
    if (protocol == Protocol.V10) {
      out.putShort((short) port).putShort((short) 0);
    } else {
      out.putShort((short) 0).putLong(0);
      out.putShort((short) 1).putShort((short) 12).putInt(0x8000_0004).putInt(port).putInt(0);
      out.putShort((short) 0);
    }
  }

  private static void frame(ByteBuffer out, long destination, long source, int type) {
    int end = out.position() + FRAME_BYTES;
    out.putShort((short) (destination >>> 32)).putInt((int) destination);
    out.putShort((short) (source >>> 32)).putInt((int) source).putShort((short) type);
    while (out.position() < end) {
      out.put((byte) 0);
    }
  }

  /** The id of the buffer that a message of the controller answers, or {@link #NO_BUFFER}. */
  int answered(ByteBuffer in, int start, int length) {
    int type = in.get(start + 1);
    int at = type == TYPE_PACKET_OUT ? 8 : protocol == Protocol.V10 ? 64 : 32;
    boolean mayAnswer = type == TYPE_PACKET_OUT || type == TYPE_FLOW_MOD;
    return mayAnswer && length >= at + 4 ? in.getInt(start + at) : NO_BUFFER;
  }
}
