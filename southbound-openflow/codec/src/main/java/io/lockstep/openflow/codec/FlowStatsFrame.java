package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a flow statistics reply into replies of one entry (OpenFlow 1.0.1 section 5.3.5, 1.3.5
 * section 7.3.5.2), so that each can be read by itself.
 */
final class FlowStatsFrame {
  private static final int VERSION_10 = 1;
  private static final int TYPE_STATS_REPLY_10 = 17;
  private static final int TYPE_MULTIPART_REPLY = 19;
  private static final int KIND_FLOW = 1;

  private static final int LENGTH_AT = 2;
  private static final int ENTRIES_AT_10 = 12;
  private static final int ENTRIES_AT = 16;
  private static final int LEAST_ENTRY_BYTES_10 = 88;
  private static final int LEAST_ENTRY_BYTES = 56;

  private FlowStatsFrame() {}

  /** Whether a whole message, index 0 on, is a flow statistics reply. */
  static boolean is(ByteBuf frame) {
    boolean version10 = frame.getUnsignedByte(0) == VERSION_10;
    return frame.getUnsignedByte(1) == (version10 ? TYPE_STATS_REPLY_10 : TYPE_MULTIPART_REPLY)
        && frame.writerIndex() >= (version10 ? ENTRIES_AT_10 : ENTRIES_AT)
        && frame.getUnsignedShort(MessageDecoder.HEADER_BYTES) == KIND_FLOW;
  }

  /** The reply without entries. */
  static ByteBuf head(ByteBuf frame) {
    return reply(frame, 0, 0);
  }

  /**
   * The entries, each in a reply of its own.
   *
   * @throws MalformedMessageException where an entry is shorter than one can be, or ends behind the
   *     message
   */
  static List<ByteBuf> entries(ByteBuf frame) {
    boolean version10 = frame.getUnsignedByte(0) == VERSION_10;
    int least = version10 ? LEAST_ENTRY_BYTES_10 : LEAST_ENTRY_BYTES;
    List<ByteBuf> entries = new ArrayList<>();
    int at = version10 ? ENTRIES_AT_10 : ENTRIES_AT;
    while (at < frame.writerIndex()) {
      int left = frame.writerIndex() - at;
      int length = left < least ? left : frame.getUnsignedShort(at);
      if (length < least || length > left) {
        throw new MalformedMessageException(
            at, "an entry of " + length + " bytes where " + left + " are left", frame, 0);
      }
      entries.add(reply(frame, at, length));
      at += length;
    }
    return entries;
  }

  private static ByteBuf reply(ByteBuf frame, int entryAt, int entryBytes) {
    int head = frame.getUnsignedByte(0) == VERSION_10 ? ENTRIES_AT_10 : ENTRIES_AT;
    ByteBuf reply = Unpooled.buffer(head + entryBytes);
    reply.writeBytes(frame, 0, head);
    reply.writeBytes(frame, entryAt, entryBytes);
    reply.setShort(LENGTH_AT, reply.writerIndex());
    return reply;
  }
}
