package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Cuts a stream into frames with a four-byte length prefix. Until the handshake is done only a
 * handshake's length is accepted, so that a stranger cannot make a replica buffer more than that.
 *
 * <p>State: before or after the handshake. Owned by the channel's event loop.
 */
final class Frames extends ByteToMessageDecoder {
  private final int maxBytes;
  private boolean established;

  Frames(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** From now on frames up to the full size are accepted. */
  void established() {
    established = true;
  }

  /** What is wrong with a stream, for the log. */
  static String describe(Throwable cause) {
    return cause instanceof CorruptedFrameException
        ? String.valueOf(cause.getMessage())
        : cause.toString();
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (in.readableBytes() < 4) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    int most = established ? maxBytes : Handshake.MAX_BYTES;
    if (length < 1 || length > most) {
      // Nothing behind it can be read, and the rest must not be found wrong once more.
      in.skipBytes(in.readableBytes());
      throw new CorruptedFrameException("a frame of " + length + " bytes, at most " + most);
    }
    if (in.readableBytes() >= 4 + length) {
      in.skipBytes(4);
      out.add(in.readRetainedSlice(length));
    }
  }
}
