package io.lockstep.keys;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The first handler of an accepted connection that must speak TLS. A peer that begins with anything
 * else gets the alert {@code protocol_version} (RFC 8446, 6.2), which it can recognise ({@link
 * #looksLikeTls}), and the handlers behind get a {@link RefusedPeerException}. One that begins with
 * TLS waits for its turn ({@link HandshakePace}). Owned by the event loop.
 */
final class TlsOnlyGate extends ChannelInboundHandlerAdapter {
  private static final int ALERT = 0x15;
  private static final int HANDSHAKE = 0x16;
  private static final int MAJOR = 0x03;
  private static final byte[] PROTOCOL_VERSION = {ALERT, MAJOR, 0x03, 0x00, 0x02, 0x02, 0x46};

  private final HandshakePace pace;
  private final ArrayDeque<Object> held = new ArrayDeque<>();
  private @Nullable ChannelHandlerContext waiting;
  private final Runnable turn = this::begin;
  private boolean refused;

  TlsOnlyGate(HandshakePace pace) {
    this.pace = pace;
  }

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
    if (waiting != null) {
      held.add(message);
      return;
    }
    if (!(message instanceof ByteBuf bytes) || looksLikeTls(bytes)) {
      if (pace.begin(machine(context), turn)) {
        context.pipeline().remove(this);
        context.fireChannelRead(message);
      } else {
        waiting = context;
        held.add(message);
        context.channel().config().setAutoRead(false);
      }
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

  private static String machine(ChannelHandlerContext context) {
    return context.channel().remoteAddress() instanceof InetSocketAddress internet
        ? internet.getHostString()
        : "";
  }

  private void begin() {
    ChannelHandlerContext context = waiting;
    if (context == null) {
      return;
    }
    waiting = null;
    Object message;
    while ((message = held.poll()) != null) {
      context.fireChannelRead(message);
    }
    context.fireChannelReadComplete();
    if (!context.isRemoved()) {
      context.pipeline().remove(this);
    }
    context.channel().config().setAutoRead(true);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    leave(context);
    context.fireChannelInactive();
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    leave(context);
  }

  private void leave(ChannelHandlerContext context) {
    if (waiting != null) {
      waiting = null;
      pace.leave(machine(context), turn);
    }
    held.forEach(ReferenceCountUtil::release);
    held.clear();
  }
}
