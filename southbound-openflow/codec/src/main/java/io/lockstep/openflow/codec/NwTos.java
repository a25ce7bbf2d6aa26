package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import java.util.function.IntConsumer;

/**
 * The type of service in a match of OpenFlow 1.0 (section 5.2.3): the wire has the DSCP in the
 * upper six bits of {@code nw_tos}, openflowj's objects read and write it in the lower six. This
 * finds the octets, so that the codec can put them right in both directions.
 */
final class NwTos {
  static final int VERSION_10 = 1;
  private static final int SHIFT = 2;

  private static final int TYPE_FLOW_REMOVED = 11;
  private static final int TYPE_FLOW_MOD = 14;
  private static final int TYPE_STATS_REQUEST = 16;
  private static final int TYPE_STATS_REPLY = 17;
  private static final int STATS_FLOW = 1;
  private static final int STATS_AGGREGATE = 2;

  private static final int HEADER_BYTES = 8;
  private static final int STATS_BODY_AT = 12;
  private static final int MATCH_IN_ENTRY = 4;
  private static final int LEAST_ENTRY_BYTES = 88;
  private static final int TOS_IN_MATCH = 24;

  private NwTos() {}

  /** What openflowj reads for an octet of the wire. */
  static int fromWire(int octet) {
    return (octet & 0xff) >> SHIFT;
  }

  /** The octet of the wire for what openflowj wrote. */
  static int toWire(int dscp) {
    return dscp << SHIFT & 0xff;
  }

  /**
   * Finds the octets in one message of OpenFlow 1.0. Where lengths do not fit it ends: openflowj
   * refuses such a message.
   *
   * @param start of the message in the buffer
   * @param end behind it
   */
  static void forEach(ByteBuf bytes, int start, int end, IntConsumer octetAt) {
    if (end - start < STATS_BODY_AT) {
      return;
    }
    switch (bytes.getUnsignedByte(start + 1)) {
      case TYPE_FLOW_REMOVED, TYPE_FLOW_MOD -> inMatch(start + HEADER_BYTES, end, octetAt);
      case TYPE_STATS_REQUEST -> {
        int kind = bytes.getUnsignedShort(start + HEADER_BYTES);
        if (kind == STATS_FLOW || kind == STATS_AGGREGATE) {
          inMatch(start + STATS_BODY_AT, end, octetAt);
        }
      }
      case TYPE_STATS_REPLY -> {
        if (bytes.getUnsignedShort(start + HEADER_BYTES) == STATS_FLOW) {
          inEntries(bytes, start + STATS_BODY_AT, end, octetAt);
        }
      }
      default -> {
        // No other message has a match.
      }
    }
  }

  private static void inEntries(ByteBuf bytes, int first, int end, IntConsumer octetAt) {
    int at = first;
    while (end - at >= LEAST_ENTRY_BYTES) {
      int length = bytes.getUnsignedShort(at);
      if (length < LEAST_ENTRY_BYTES) {
        return;
      }
      inMatch(at + MATCH_IN_ENTRY, end, octetAt);
      at += length;
    }
  }

  private static void inMatch(int match, int end, IntConsumer octetAt) {
    if (match + TOS_IN_MATCH < end) {
      octetAt.accept(match + TOS_IN_MATCH);
    }
  }
}
