package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Member;
import io.lockstep.store.logging.LogLimit;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
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
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection to one replica. It dials again after each loss. A replica that is down or
 * does not read is skipped, so it delays no request (hazard 1). Owned by the client's event loop.
 */
final class ReplicaChannel {

  /** Gets the events of the connection. */
  interface Listener {
    void connected(ReplicaChannel channel);

    /** The replica takes requests again after it did not. */
    void writable(ReplicaChannel channel);

    void reply(int replica, ByteBuf frame);

    /** The connection has ended. */
    void lost(ReplicaChannel channel);
  }

  private static final Logger log = LoggerFactory.getLogger(ReplicaChannel.class);
  private static final String NO_REPLICA = "is no replica: check its address";
  private static final int MAX_REPLY_BYTES = 64 << 20;
  private static final long FIRST_REDIAL_MILLIS = 50;

  /**
   * Bytes written but not sent: at the higher mark the client stops writing, until the lower one.
   */
  private static final int LOW_BYTES = 256 << 10;

  private static final int HIGH_BYTES = 1 << 20;
  private static final long LAST_REDIAL_MILLIS = 400;

  private final String clusterId;
  private final @Nullable LinkKeys keys;
  private Member member;
  private final EventLoop loop;
  private final Listener listener;
  private @Nullable Channel channel;
  private long redialMillis = FIRST_REDIAL_MILLIS;
  private boolean closed;
  private boolean givesHints;

  /** Why this client refuses the process at the member's address; null once it has accepted one. */
  private @Nullable String refusal;

  /**
   * Bounds the log: the process at that address causes the lines, and may cause a new one each
   * time.
   */
  private final LogLimit logLimit = new LogLimit(System::nanoTime);

  /**
   * @param keys of this client's process; null where connections are not encrypted
   */
  ReplicaChannel(
      String clusterId, @Nullable LinkKeys keys, Member member, EventLoop loop, Listener listener) {
    this.clusterId = clusterId;
    this.keys = keys;
    this.member = member;
    this.loop = loop;
    this.listener = listener;
  }

  void dial() {
    if (closed) {
      return;
    }
    Member dialled = member;
    new Bootstrap()
        .group(loop)
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 500)
        .option(
            ChannelOption.WRITE_BUFFER_WATER_MARK, new WriteBufferWaterMark(LOW_BYTES, HIGH_BYTES))
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel socket) {
                FrameDecoder decoder = new FrameDecoder(MAX_REPLY_BYTES);
                LinkGuard guard = LinkGuard.dial(keys, socket.pipeline());
                socket.pipeline().addLast(decoder);
                socket.pipeline().addLast(new Conversation(decoder, guard, dialled));
              }
            })
        .connect(dialled.host(), dialled.port())
        .addListener(
            (ChannelFuture connected) -> {
              if (connected.isSuccess()) {
                connected.channel().closeFuture().addListener(closed -> redial());
              } else {
                redial();
              }
            });
  }

  /** Another machine has the id now: ends the connection to the one before, and dials it. */
  void moved(Member now) {
    if (!now.equals(member)) {
      member = now;
      if (channel != null) {
        LoggedFailures.close(channel);
      }
    }
  }

  /** The fault of the replica and its remedy; null if none is known. */
  @Nullable String refusal() {
    return refusal;
  }

  private void redial() {
    if (!closed) {
      LoggedFailures.after(loop, "dialling " + address(), redialMillis, this::dial);
      redialMillis = Math.min(2 * redialMillis, LAST_REDIAL_MILLIS);
    }
  }

  private String address() {
    return member.host() + ":" + member.port();
  }

  /** The replica's id, as a bit. */
  int bit() {
    return 1 << member.id();
  }

  /** Whether a request written now would leave. */
  boolean usable() {
    Channel to = channel;
    return to != null && to.isActive() && to.isWritable();
  }

  /** Whether the replica at the other end gives hints that this client can read. */
  boolean givesHints() {
    return channel != null && givesHints;
  }

  /** A small buffer to {@link #write}. */
  ByteBuf buffer() {
    return PooledByteBufAllocator.DEFAULT.buffer(256);
  }

  /** Writes and flushes; takes ownership of the buffer. */
  void write(ByteBuf requests) {
    Channel to = channel;
    if (to == null) {
      requests.release();
    } else {
      // A failure reaches exceptionCaught, as the promise says.
      var unused = to.writeAndFlush(requests, to.voidPromise());
    }
  }

  void close() {
    closed = true;
    if (channel != null) {
      LoggedFailures.close(channel);
    }
  }

  private final class Conversation extends SimpleChannelInboundHandler<ByteBuf> {
    private final FrameDecoder decoder;
    private final LinkGuard guard;
    private final Member dialled;
    private boolean established;
    private boolean failed;

    Conversation(FrameDecoder decoder, LinkGuard guard, Member dialled) {
      this.decoder = decoder;
      this.guard = guard;
      this.dialled = dialled;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
      if (!guard.secures()) {
        greet(context);
      }
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
      if (event instanceof SslHandshakeCompletionEvent handshake) {
        if (!handshake.isSuccess()) {
          failed(context, handshake.cause());
          return;
        }
        try {
          LinkGuard.requireReplica(guard.identify(context.channel()), member);
          greet(context);
        } catch (RefusedPeerException e) {
          failed(context, e);
        }
      }
    }

    private void failed(ChannelHandlerContext context, Throwable cause) {
      String why = failed ? null : guard.describe(cause, false);
      failed = true;
      if (why == null) {
        LoggedFailures.close(context);
      } else {
        refuse(context, "is refused: " + why);
      }
    }

    private void greet(ChannelHandlerContext context) {
      ByteBuf out = context.alloc().buffer(Handshake.MAX_BYTES);
      Handshake.ofClient(clusterId, member.id()).encode(out);
      // A failure reaches exceptionCaught, as the promise says.
      var unused = context.writeAndFlush(out, context.voidPromise());
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
      if (established) {
        listener.reply(member.id(), frame);
        return;
      }
      if (!dialled.equals(member)) {
        // Another machine has taken its place since it was dialled.
        LoggedFailures.close(context);
        return;
      }
      Handshake hello = Handshake.decode(frame);
      String misfit = misfit(hello);
      if (misfit != null) {
        refuse(context, misfit);
        return;
      }
      refusal = null;
      givesHints = hello != null && hello.requestVersion() == FollowFrame.VERSION;
      established = true;
      decoder.established();
      redialMillis = FIRST_REDIAL_MILLIS;
      channel = context.channel();
      listener.connected(ReplicaChannel.this);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
      if (established && context.channel().isWritable()) {
        listener.writable(ReplicaChannel.this);
      }
    }

    private @Nullable String misfit(@Nullable Handshake hello) {
      if (hello == null) {
        return NO_REPLICA;
      }
      String misfit = hello.misfit(Handshake.CLIENT_LINK, clusterId, "this client");
      if (misfit == null && hello.from() != member.id()) {
        return "calls itself replica " + hello.from() + ": check the members' addresses";
      }
      return misfit;
    }

    /** Logged only if it is new, since every dial finds the same. */
    private void refuse(ChannelHandlerContext context, String misfit) {
      String found = "replica " + member.id() + " at " + address() + " " + misfit;
      String more = found.equals(refusal) ? null : logLimit.admit("refused");
      if (more == null) {
        log.debug("{}", found);
      } else {
        log.warn("{}{}", found, more);
      }
      refusal = found;
      LoggedFailures.close(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      guard.ended();
      if (established && context.channel().equals(channel)) {
        channel = null;
        listener.lost(ReplicaChannel.this);
      }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      if (!established && LinkFailure.of(cause).isPresent()) {
        failed(context, cause);
        return;
      }
      if (cause instanceof java.io.IOException) {
        log.debug("connection to {} ended", member, cause);
      } else if (established) {
        String more = logLimit.admit("closed");
        if (more != null) {
          log.warn("connection to {} closed: {}{}", member, FrameDecoder.describe(cause), more);
        }
      } else {
        refuse(context, cause instanceof CorruptedFrameException ? NO_REPLICA : "fails: " + cause);
        return;
      }
      LoggedFailures.close(context);
    }
  }
}
