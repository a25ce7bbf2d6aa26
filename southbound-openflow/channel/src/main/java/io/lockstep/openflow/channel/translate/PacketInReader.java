package io.lockstep.openflow.channel.translate;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.openflow.codec.MessageDecoder;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFVersion;

/**
 * Reads packet-ins (OpenFlow 1.3.5 section 7.4.1) straight into the node's record: the hot path
 * allocates the record and the frame's bytes. Of the match only the ingress port is read; fields of
 * vendors do no harm.
 */
public final class PacketInReader implements MessageDecoder.ShortCut {
  /** One object serves all channels: it has no state. */
  public static final PacketInReader INSTANCE = new PacketInReader();

  private static final int TYPE_PACKET_IN = 10;
  private static final int MATCH_AT = 24;
  private static final int MATCH_HEADER_BYTES = 4;
  private static final int MATCH_TYPE_OXM = 1;
  private static final int PADDING_BEHIND_MATCH = 2;

  /** Class {@code OFPXMC_OPENFLOW_BASIC}, field in_port, no mask, 4 bytes. */
  private static final int OXM_IN_PORT = 0x8000_0004;

  private static final PacketIn.Reason[] REASONS = PacketIn.Reason.values();

  private PacketInReader() {}

  @Override
  public @Nullable Object decode(OFVersion version, int type, ByteBuf frame) {
    return type == TYPE_PACKET_IN && version == OFVersion.OF_13 ? read13(frame) : null;
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
