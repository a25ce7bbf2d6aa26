package io.lockstep.dataplane.openflow;

import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.ScheduledFuture;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one controller connected: tries again with a growing pause until closed (OpenFlow 1.3.5
 * section 6.3). On the switch's event loop.
 */
final class ControllerLink {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerLink.class);
  private static final MessageEncoder ENCODER = new MessageEncoder();

  private final SwitchAgent agent;
  private final EventLoop loop;
  private final InetSocketAddress address;
  private @Nullable Channel channel;
  private int backoffMillis;
  private @Nullable ScheduledFuture<?> nextTry;
  private boolean paused;
  private boolean closed;

  /** Why there is no connection, null while there is one; read by other threads. */
  private volatile @Nullable String trouble;

  ControllerLink(SwitchAgent agent, EventLoop loop, InetSocketAddress address) {
    this.agent = agent;
    this.loop = loop;
    this.address = address;
    this.backoffMillis = agent.settings().firstBackoffMillis();
  }

  void connect() {
    if (closed || paused) {
      return;
    }
    AgentSettings settings = agent.settings();
    ChannelFuture attempt =
        new Bootstrap()
            .group(loop)
            .channel(NioSocketChannel.class)
            .option(ChannelOption.TCP_NODELAY, true)
            .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, settings.connectTimeoutMillis())
            .option(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(settings.outboundBytes() / 2, settings.outboundBytes()))
            .handler(new Pipeline())
            .connect(address);
    channel = attempt.channel();
    attempt.addListener(
        connected -> {
          if (connected.isSuccess()) {
            attempt.channel().closeFuture().addListener(closing -> retry());
          } else {
            onLoop(() -> failed(connected.cause()));
          }
        });
  }

  /** Netty completes a try elsewhere where it could not even open a socket. */
  private void onLoop(Runnable step) {
    if (loop.inEventLoop()) {
      step.run();
    } else {
      loop.execute(step);
    }
  }

  private void failed(@Nullable Throwable cause) {
    LOG.debug("controller {} refuses: {}", address, String.valueOf(cause));
    trouble = reason(cause);
    // A channel that was never opened is never closed either.
    channel = null;
    retry();
  }

  /** Netty's text without the address, which whoever shows it names. */
  private String reason(@Nullable Throwable cause) {
    return cause == null ? "unknown" : inWords(cause).replace(": " + address, "");
  }

  /** What a failure says, or what it is where it says nothing. */
  static String inWords(Throwable cause) {
    String text = cause.getMessage();
    return text == null ? cause.getClass().getSimpleName() : text;
  }

  private void retry() {
    if (!closed && !paused) {
      nextTry = loop.schedule(this::connect, backoffMillis, TimeUnit.MILLISECONDS);
      backoffMillis = Math.min(2 * backoffMillis, agent.settings().maxBackoffMillis());
    }
  }

  /** The controller has completed a HELLO: the next pause is short again. */
  void settled() {
    backoffMillis = agent.settings().firstBackoffMillis();
    trouble = null;
  }

  /** The connection has ended for this reason. */
  void left(String reason) {
    trouble = reason;
  }

  /** Why there is no connection now; null where there is one, or no try has ended yet. */
  @Nullable String trouble() {
    return trouble;
  }

  /** Leaves the controller until {@link #resume}. */
  void pause() {
    paused = true;
    if (nextTry != null) {
      nextTry.cancel(false);
    }
    if (channel != null) {
      ControllerChannel.close(channel);
    }
  }

  /** Connects again after {@link #pause}, once what is left of the old connection is gone. */
  void resume() {
    paused = false;
    if (channel == null || channel.closeFuture().isDone()) {
      connect();
    }
  }

  InetSocketAddress address() {
    return address;
  }

  boolean owns(Channel other) {
    return other.equals(channel);
  }

  void close() {
    closed = true;
    if (channel != null) {
      ControllerChannel.close(channel);
    }
  }

  private final class Pipeline extends ChannelInitializer<Channel> {
    @Override
    protected void initChannel(Channel fresh) {
      MessageDecoder decoder = new MessageDecoder();
      fresh
          .pipeline()
          .addLast(decoder)
          .addLast(ENCODER)
          .addLast(new ControllerChannel(agent, decoder, fresh));
    }
  }
}
