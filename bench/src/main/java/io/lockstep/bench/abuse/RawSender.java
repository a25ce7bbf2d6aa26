package io.lockstep.bench.abuse;

import io.lockstep.bench.openflow.OpenFlowLoad;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Connections that send and never read. Each takes as many messages a turn as the attack says,
 * fewer where the other side does not read; one that is closed is opened again after {@link
 * #AGAIN_MILLIS}. All work is on one event loop.
 */
final class RawSender implements AutoCloseable {
  private static final int AGAIN_MILLIS = 100;
  private static final int CONNECT_TIMEOUT_MILLIS = 3000;

  private final NioEventLoopGroup group =
      new NioEventLoopGroup(1, new DefaultThreadFactory("attacker", true));
  private final InetSocketAddress target;
  private final Attack attack;
  private final Sent sent;

  // Owned by the event loop.
  private final Set<Channel> channels = new HashSet<>();
  private final Consumer<ByteBuf> messages;
  private boolean closed;

  private volatile @Nullable Throwable failure;

  /** Begins at once. */
  RawSender(InetSocketAddress target, Attack attack, Sent sent) {
    this.target = target;
    this.attack = attack;
    this.sent = sent;
    this.messages = attack.messages().get();
    for (int i = 0; i < attack.connections(); i++) {
      group.execute(this::connect);
    }
    group
        .scheduleAtFixedRate(
            this::tick, OpenFlowLoad.TICK_MILLIS, OpenFlowLoad.TICK_MILLIS, TimeUnit.MILLISECONDS)
        .addListener(this::noteFailure);
  }

  private void connect() {
    if (closed) {
      return;
    }
    ChannelFuture connecting =
        new Bootstrap()
            .group(group)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.AUTO_READ, false)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, CONNECT_TIMEOUT_MILLIS)
            .handler(new FailuresClose())
            .connect(target);
    connecting.addListener(
        done -> {
          if (done.isSuccess()) {
            connected(connecting.channel());
          } else {
            again();
          }
        });
  }

  private void connected(Channel channel) {
    sent.connection();
    channels.add(channel);
    channel
        .closeFuture()
        .addListener(
            over -> {
              channels.remove(channel);
              again();
            });
    write(channel, attack.greeting().get());
    channel.flush();
  }

  private void again() {
    if (!closed) {
      group
          .schedule(this::connect, AGAIN_MILLIS, TimeUnit.MILLISECONDS)
          .addListener(this::noteFailure);
    }
  }

  /** The end of the event loop cancels tasks. */
  private void noteFailure(Future<?> task) {
    if (!task.isSuccess() && !task.isCancelled()) {
      failure = task.cause();
    }
  }

  private void tick() {
    for (Channel channel : Set.copyOf(channels)) {
      for (int i = 0; i < attack.perTick() && channel.isWritable(); i++) {
        write(channel, messages);
      }
      channel.flush();
    }
  }

  private void write(Channel channel, Consumer<ByteBuf> message) {
    ByteBuf bytes = ByteBufAllocator.DEFAULT.ioBuffer();
    message.accept(bytes);
    if (bytes.isReadable()) {
      sent.message(bytes.readableBytes());
    }
    // A void promise passes a failure to exceptionCaught.
    ChannelFuture unused = channel.write(bytes, channel.voidPromise());
  }

  /**
   * Closes all connections.
   *
   * @throws IllegalStateException if sending failed, so that the attack was weaker than planned
   */
  @Override
  public void close() {
    group.execute(() -> closed = true);
    group.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly(5, TimeUnit.SECONDS);
    Throwable cause = failure;
    if (cause != null) {
      throw new IllegalStateException("the attacker failed", cause);
    }
  }

  /** What the target does to a connection of the attacker is no failure of this program. */
  private static final class FailuresClose extends ChannelInboundHandlerAdapter {
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
      context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }
}
