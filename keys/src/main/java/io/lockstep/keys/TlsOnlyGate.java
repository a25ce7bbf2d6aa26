package io.lockstep.keys;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;

/**
 * The first handler of an accepted connection that must speak TLS. A peer that begins with anything
 * else gets the alert {@code protocol_version} (RFC 8446, 6.2), which it can recognise ({@link
 * #looksLikeTls}), and the handlers behind get a {@link RefusedPeerException}. Owned by the event
 * loop.
 */
final class TlsOnlyGate extends ChannelInboundHandlerAdapter {
  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;
  private static final int MAJOR = 0x03;
  private static final byte[] PROTOCOL_VERSION = {ALERT, MAJOR, 0x03, 0x00, 0x02, 0x02, 0x46};

  private boolean refused;

  /** Whether the bytes are the beginning of a TLS record: a handshake or an alert. */
  static boolean looksLikeTls(ByteBuf in) {
    if (!in.isReadable()) {
      return false;
    }
    int first = in.getUnsignedByte(in.readerIndex());
    boolean kind = first == HANDSHAKE || first == ALERT;
    return kind && (in.readableBytes() == 1 || in.getUnsignedByte(in.readerIndex() + 1) == MAJOR);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!(message instanceof ByteBuf bytes) || looksLikeTls(bytes)) {
      context.pipeline().remove(this);
      context.fireChannelRead(message);
      return;
    }
    refused = true;
    bytes.release();
    context
        .writeAndFlush(context.alloc().buffer().writeBytes(PROTOCOL_VERSION))
        .addListener(ChannelFutureListener.CLOSE);
    context.fireExceptionCaught(
        new RefusedPeerException(
            LinkRefusal.NO_TLS, "it does not use TLS: give it keys of this cluster ('keys')"));
  }
}
