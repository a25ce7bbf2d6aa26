package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketKind;
import io.netty.buffer.ByteBuf;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Reads of a packet-in what decides whether it is worth reading, from where it lies in the buffer
 * and without making anything: the ingress port and the kind of the packet. What is not readable is
 * left to {@link PacketInReader}, which says what is wrong. Pure.
 */
public final class PacketInHead {
  /** OFPT_PACKET_IN in all versions. */
  public static final int TYPE = 10;

  /** The answer of {@link #port} where there is none; no port has this number. */
  public static final long UNREADABLE = Long.MIN_VALUE;

  private static final int PORT_10_AT = 14;
  private static final int DATA_10_AT = 18;
  private static final int MATCH_AT = 24;
  private static final int MATCH_TYPE_OXM = 1;
  private static final int MATCH_HEADER_BYTES = 4;
  private static final int OXM_HEADER_BYTES = 4;
  private static final int PORT_BYTES = 4;
  private static final int PADDING_BEHIND_MATCH = 2;

  /** Class {@code OFPXMC_OPENFLOW_BASIC}, field in_port, no mask, 4 bytes. */
  private static final int OXM_IN_PORT = 0x8000_0004;

  private static final int ETHER_TYPE_AT = 12;
  private static final int ETHERNET_BYTES = 14;
  private static final int TAG_BYTES = 4;
  private static final int MAX_TAGS = 2;
  private static final int CUSTOMER_TAG = 0x8100;
  private static final int SERVICE_TAG = 0x88a8;
  private static final int LLDP = 0x88cc;

  private PacketInHead() {}

  /**
   * The port by which the packet came in, as {@code PortNumber.toLong()} has it.
   *
   * @param start of the message in the buffer, whose indices stay
   * @param length of the message
   * @return {@link #UNREADABLE} where the message is not what it should be
   */
  public static long port(OFVersion version, ByteBuf in, int start, int length) {
    if (version == OFVersion.OF_10) {
      return length < DATA_10_AT
          ? UNREADABLE
          : PortNumbers.number10(in.getUnsignedShort(start + PORT_10_AT));
    }
    int dataAt = dataAt13(in, start, length);
    if (dataAt < 0) {
      return UNREADABLE;
    }
    int end = start + MATCH_AT + in.getUnsignedShort(start + MATCH_AT + 2);
    int at = start + MATCH_AT + MATCH_HEADER_BYTES;
    while (at + OXM_HEADER_BYTES <= end) {
      if (in.getInt(at) == OXM_IN_PORT && at + OXM_HEADER_BYTES + PORT_BYTES <= end) {
        return PortNumbers.number(in.getInt(at + OXM_HEADER_BYTES));
      }
      at += OXM_HEADER_BYTES + in.getUnsignedByte(at + 3);
    }
    return UNREADABLE;
  }

  /** Relative to the message; negative where its match is not whole. */
  private static int dataAt13(ByteBuf in, int start, int length) {
    if (length < MATCH_AT + MATCH_HEADER_BYTES) {
      return -1;
    }
    int matchLength = in.getUnsignedShort(start + MATCH_AT + 2);
    int dataAt = MATCH_AT + (matchLength + 7) / 8 * 8 + PADDING_BEHIND_MATCH;
    return in.getUnsignedShort(start + MATCH_AT) != MATCH_TYPE_OXM
            || matchLength < MATCH_HEADER_BYTES
            || dataAt > length
        ? -1
        : dataAt;
  }

  /**
   * The kind of the packet; unicast where it is too short to tell.
   *
   * @param start of a message that {@link #port} can read
   */
  public static PacketKind kind(OFVersion version, ByteBuf in, int start, int length) {
    int dataAt = version == OFVersion.OF_10 ? DATA_10_AT : dataAt13(in, start, length);
    int frame = start + dataAt;
    int end = start + length;
    if (dataAt < 0 || end - frame < ETHERNET_BYTES) {
      return PacketKind.UNICAST;
    }
    int typeAt = frame + ETHER_TYPE_AT;
    int type = in.getUnsignedShort(typeAt);
    for (int tags = 0; tags < MAX_TAGS && isTag(type) && typeAt + TAG_BYTES + 2 <= end; tags++) {
      typeAt += TAG_BYTES;
      type = in.getUnsignedShort(typeAt);
    }
    if (type == LLDP) {
      return PacketKind.LINK_PROBE;
    }
    return (in.getByte(frame) & 1) != 0 ? PacketKind.GROUP : PacketKind.UNICAST;
  }

  private static boolean isTag(int type) {
    return type == CUSTOMER_TAG || type == SERVICE_TAG;
  }
}
