package io.lockstep.store.engine.bftsmart;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection to one replica, dialled again and again. A replica that is away or does not
 * read is skipped, so it slows nobody down (hazard 1). Owned by the client's event loop.
 */
final class ReplicaChannel {

  /** What the client does with what arrives. */
  interface Listener {
    void connected(ReplicaChannel channel);

    void reply(int replica, ByteBuf frame);
  }

  private static final Logger log = LoggerFactory.getLogger(ReplicaChannel.class);
  private static final int MAX_REPLY_BYTES = 64 << 20;
  private static final long FIRST_REDIAL_MILLIS = 50;
  private static final long LAST_REDIAL_MILLIS = 400;

  private final String clusterId;
  private final Member member;
  private final EventLoop loop;
  private final Listener listener;
  private @Nullable Channel channel;
  private long redialMillis = FIRST_REDIAL_MILLIS;
  private boolean closed;

  ReplicaChannel(String clusterId, Member member, EventLoop loop, Listener listener) {
    this.clusterId = clusterId;
    this.member = member;
    this.loop = loop;
    this.listener = listener;
  }

  void dial() {
    if (closed) {
      return;
    }
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 500)
        .option(ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(1 << 20, 4 << 20))
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel dialled) {
                Frames frames = new Frames(MAX_REPLY_BYTES);
                dialled.pipeline().addLast(frames);
                dialled.pipeline().addLast(new Conversation(frames));
              }
            })
        .connect(member.host(), member.port())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                connected.channel().closeFuture().addListener(gone -> redial());
              } else {
                redial();
              }
            });
  }

  private void redial() {
    if (!closed) {
      loop.schedule(this::dial, redialMillis, TimeUnit.MILLISECONDS);
      redialMillis = Math.min(2 * redialMillis, LAST_REDIAL_MILLIS);
    }
  }

  /** Whether a request written now would leave. */
  boolean usable() {
    Channel to = channel;
    return to != null && to.isActive() && to.isWritable();
  }

  /** Writes and flushes; takes ownership of the buffer. */
  void write(ByteBuf requests) {
    Channel to = channel;
    if (to == null) {
      requests.release();
    } else {
      to.writeAndFlush(requests, to.voidPromise());
    }
  }

  void close() {
    closed = true;
    if (channel != null) {
      channel.close();
    }
  }

  private final class Conversation extends SimpleChannelInboundHandler<ByteBuf> {
    private final Frames frames;
    private boolean established;

    Conversation(Frames frames) {
      this.frames = frames;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      ByteBuf out = context.alloc().buffer(Handshake.MAX_BYTES);
      new Handshake(Handshake.CLIENT_LINK, clusterId, -1, member.id()).encode(out);
      context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      if (established) {
        listener.reply(member.id(), frame);
        return;
      }
      Handshake hello = Handshake.decode(frame);
      if (hello == null
          || hello.purpose() != Handshake.CLIENT_LINK
          || !hello.clusterId().equals(clusterId)
          || hello.from() != member.id()) {
        log.warn(
            "{} is not replica {} of cluster '{}' but says {}",
            member,
            member.id(),
            clusterId,
            hello);
        context.close();
        return;
      }
      established = true;
      frames.established();
      redialMillis = FIRST_REDIAL_MILLIS;
      channel = context.channel();
      listener.connected(ReplicaChannel.this);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      if (established && context.channel().equals(channel)) {
        channel = null;
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (cause instanceof java.io.IOException) {
        log.debug("connection to {} ended", member, cause);
      } else {
        log.warn("connection to {} closed: {}", member, cause.toString());
      }
      context.close();
    }
  }
}
