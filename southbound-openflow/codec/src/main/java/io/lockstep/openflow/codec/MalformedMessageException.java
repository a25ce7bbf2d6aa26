package io.lockstep.openflow.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.handler.codec.CorruptedFrameException;

/**
 * The peer sent bytes that are no OpenFlow message. The stream can not be trusted any further: the
 * decoder discards everything after it, and the connection should be closed.
 */
public final class MalformedMessageException extends CorruptedFrameException {
  /** How many bytes of the frame the message shows. */
  static final int SHOWN_BYTES = 32;

  private static final long serialVersionUID = 1;

  private final int offset;
  private final String reason;
  private final String firstBytesHex;

  MalformedMessageException(
      int offset, String reason, ByteBuf bytes, int frameStart, Throwable cause) {
    this(offset, reason, hex(bytes, frameStart));
    initCause(cause);
  }

  MalformedMessageException(int offset, String reason, ByteBuf bytes, int frameStart) {
    this(offset, reason, hex(bytes, frameStart));
  }

  private MalformedMessageException(int offset, String reason, String firstBytesHex) {
    super(
        "malformed OpenFlow message at byte "
            + offset
            + ": "
            + reason
            + "; it begins "
            + firstBytesHex);
    this.offset = offset;
    this.reason = reason;
    this.firstBytesHex = firstBytesHex;
  }

  /** Bytes from the start of the message to where decoding stopped. */
  public int offset() {
    return offset;
  }

  /** What is wrong, for people. */
  public String reason() {
    return reason;
  }

  /** The first bytes of the message in hexadecimal digits, at most 32 of them. */
  public String firstBytesHex() {
    return firstBytesHex;
  }

  private static String hex(ByteBuf bytes, int start) {
    return ByteBufUtil.hexDump(bytes, start, Math.min(SHOWN_BYTES, bytes.writerIndex() - start));
  }
}
