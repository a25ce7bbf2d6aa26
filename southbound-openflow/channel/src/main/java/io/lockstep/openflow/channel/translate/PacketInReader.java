package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketIn;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Reads packet-ins (OpenFlow 1.3.5 section 7.4.1, 1.0 section 5.4.1) straight into the node's
 * record: the hot path allocates the record and the frame's bytes. Of the match only the ingress
 * port is read; fields of vendors do no harm.
 */
public final class PacketInReader {
  private static final int TYPE_PACKET_IN = 10;
  private static final int DATA_10_AT = 18;
  private static final int NO_MATCH = 0;

  /** What a switch of 1.3 says where no entry caused the packet-in. */
  private static final long NO_COOKIE = -1L;

  private static final int MATCH_AT = 24;
  private static final int MATCH_HEADER_BYTES = 4;
  private static final int MATCH_TYPE_OXM = 1;
  private static final int PADDING_BEHIND_MATCH = 2;

  /** Class {@code OFPXMC_OPENFLOW_BASIC}, field in_port, no mask, 4 bytes. */
  private static final int OXM_IN_PORT = 0x8000_0004;

  private static final PacketIn.Reason[] REASONS = PacketIn.Reason.values();

  private PacketInReader() {}

  /** A short cut of the decoder; null for what is no packet-in. */
  public static @Nullable Object read(OFVersion version, int type, ByteBuf frame) {
    if (type != TYPE_PACKET_IN) {
      return null;
    }
    return version == OFVersion.OF_10 ? read10(frame) : read13(frame);
  }

  /** OpenFlow 1.0 section 5.4.1: no table, no cookie, the port in 16 bits. */
  private static PacketIn read10(ByteBuf frame) {
    int end = frame.writerIndex();
    if (end < DATA_10_AT) {
      throw new IllegalArgumentException("packet-in of " + end + " bytes");
    }
    int reason = frame.getUnsignedByte(16);
    byte[] data = new byte[end - DATA_10_AT];
    frame.getBytes(DATA_10_AT, data);
    return new PacketIn(
        frame.getUnsignedInt(8),
        0,
        PortNumbers.fromWire10(frame.getUnsignedShort(14)),
        reason == NO_MATCH ? PacketIn.Reason.NO_MATCH : PacketIn.Reason.ACTION,
        NO_COOKIE,
        data,
        frame.getUnsignedShort(12));
  }

  private static PacketIn read13(ByteBuf frame) {
    int end = frame.writerIndex();
    long bufferId = frame.getUnsignedInt(8);
    int totalLength = frame.getUnsignedShort(12);
    int reason = frame.getUnsignedByte(14);
    int tableId = frame.getUnsignedByte(15);
    long cookie = frame.getLong(16);
    int matchType = frame.getUnsignedShort(MATCH_AT);
    int matchLength = frame.getUnsignedShort(MATCH_AT + 2);
    int dataAt = MATCH_AT + (matchLength + 7) / 8 * 8 + PADDING_BEHIND_MATCH;
    if (matchType != MATCH_TYPE_OXM || matchLength < MATCH_HEADER_BYTES || dataAt > end) {
      throw new IllegalArgumentException(
          "packet-in with a match of type " + matchType + " and " + matchLength + " bytes");
    }
    int inPort = inPort(frame, MATCH_AT + MATCH_HEADER_BYTES, MATCH_AT + matchLength);
    byte[] data = new byte[end - dataAt];
    frame.getBytes(dataAt, data);
    return new PacketIn(
        bufferId,
        tableId,
        PortNumbers.fromWire(inPort),
        reason < REASONS.length ? REASONS[reason] : PacketIn.Reason.ACTION,
        cookie,
        data,
        totalLength);
  }

  private static int inPort(ByteBuf frame, int start, int end) {
    for (int at = start; at + 4 <= end; at += 4 + frame.getUnsignedByte(at + 3)) {
      if (frame.getInt(at) == OXM_IN_PORT && at + 8 <= end) {
        return frame.getInt(at + 4);
      }
    }
    throw new IllegalArgumentException("packet-in without in_port");
  }
}
