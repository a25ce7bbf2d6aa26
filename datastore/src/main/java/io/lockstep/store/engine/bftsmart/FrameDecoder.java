package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.RefusedPeerException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;

/**
 * Splits a stream into frames with a four-byte length prefix. Before the handshake it accepts only
 * a handshake's length, so an unknown peer cannot make a replica buffer more.
 *
 * <p>State: before or after the handshake. Owned by the channel's event loop.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private final int maxBytes;
  private boolean established;

  FrameDecoder(int maxBytes) {
    this.maxBytes = maxBytes;
  }

  /** Accepts frames up to the full size. */
  void established() {
    established = true;
  }

  /** The text for the log about a bad stream. */
  static String describe(Throwable cause) {
    return cause instanceof CorruptedFrameException
        ? String.valueOf(cause.getMessage())
        : LinkFailure.of(cause).map(LinkFailure::text).orElseGet(cause::toString);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws RefusedPeerException {
    if (in.readableBytes() < 4) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    int most = established ? maxBytes : Handshake.MAX_BYTES;
    if (length < 1 || length > most) {
      boolean tls = !established && LinkFailure.isTls(in);
      // The bytes after it cannot be read, and must not cause another error.
      in.skipBytes(in.readableBytes());
      if (tls) {
        throw new RefusedPeerException(LinkRefusal.NO_TLS, LinkFailure.PEER_SPEAKS_TLS);
      }
      throw new CorruptedFrameException("a frame of " + length + " bytes, at most " + most);
    }
    if (in.readableBytes() >= 4 + length) {
      in.skipBytes(4);
      out.add(in.readRetainedSlice(length));
    }
  }
}
