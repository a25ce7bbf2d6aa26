package io.lockstep.dataplane.openflow;

import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.MessageEncoder;
import io.lockstep.openflow.codec.UnsupportedMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.ScheduledFuture;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One TCP connection to one controller: HELLO, then requests in order, probes when it is silent.
 * States: AWAIT_HELLO, READY (has a dialect), CLOSED. On the switch's event loop.
 */
final class ControllerChannel extends ChannelInboundHandlerAdapter implements Mastership.Holder {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerChannel.class);
  private static final int HELLO_FAILED_BYTES = 12;

  private final SwitchAgent agent;
  private final MessageDecoder decoder;
  private final Channel channel;
  private final OFVersion version;
  private ControllerRole role = ControllerRole.EQUAL;
  private AsyncMasks masks = AsyncMasks.INITIAL;
  private @Nullable Dialect dialect;
  private @Nullable ScheduledFuture<?> watch;
  private boolean flushPending;
  private long lastHeardNanos;
  private @Nullable String reason;

  ControllerChannel(SwitchAgent agent, MessageDecoder decoder, Channel channel) {
    this.agent = agent;
    this.decoder = decoder;
    this.channel = channel;
    this.version =
        switch (agent.protocol()) {
          case OPENFLOW_10 -> OFVersion.OF_10;
          case OPENFLOW_13 -> OFVersion.OF_13;
        };
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    lastHeardNanos = System.nanoTime();
    // Switches of 1.0 do not know the bitmap (section 5.5.1).
    send(
        version == OFVersion.OF_10
            ? new Hello(version.getWireVersion(), 0, 0)
            : Hello.offering(0, Set.of(version)));
    watch =
        channel
            .eventLoop()
            .schedule(
                () -> closeBecause("no HELLO in time"),
                agent.settings().helloTimeoutMillis(),
                TimeUnit.MILLISECONDS);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    lastHeardNanos = System.nanoTime();
    Dialect ready = dialect;
    if (message instanceof Hello hello) {
      if (ready == null) {
        negotiate(hello);
      }
    } else if (ready == null) {
      closeBecause("a message before HELLO");
    } else if (message instanceof OFMessage openFlow) {
      request(ready, openFlow);
    } else if (message instanceof UnsupportedMessage unsupported) {
      ByteBuf head = Unpooled.wrappedBuffer(unsupported.head());
      // A slave's request is refused before it is read further (section 6.3, Multiple Controllers).
      boolean refused = role == ControllerRole.SLAVE && Dialect13.isWrite(unsupported.type());
      ModelError error = refused ? ModelError.IS_SLAVE : UnreadRequest.error(unsupported);
      sendError(ready, error, unsupported.xid(), head);
    }
  }

  private void negotiate(Hello hello) {
    if (hello.negotiate(Set.of(version)) == null) {
      refuseVersion(hello);
      return;
    }
    decoder.negotiated(version);
    dialect = version == OFVersion.OF_10 ? new Dialect10(agent, this) : new Dialect13(agent, this);
    if (watch != null) {
      watch.cancel(false);
    }
    int interval = agent.settings().echoIntervalMillis();
    watch =
        channel
            .eventLoop()
            .scheduleWithFixedDelay(this::probe, interval, interval, TimeUnit.MILLISECONDS);
    agent.ready(this);
  }

  /** HELLO_FAILED, INCOMPATIBLE with a text (section 7.4.4), then the end. */
  private void refuseVersion(Hello hello) {
    String number = agent.protocol().number();
    byte[] text = ("this switch speaks OpenFlow " + number).getBytes(StandardCharsets.US_ASCII);
    ByteBuf error = Unpooled.buffer(HELLO_FAILED_BYTES + text.length);
    error.writeByte(version.getWireVersion());
    error.writeByte(1);
    error.writeShort(HELLO_FAILED_BYTES + text.length);
    error.writeInt((int) hello.xid());
    error.writeInt(0); // type HELLO_FAILED, code INCOMPATIBLE
    error.writeBytes(text);
    send(error);
    closeBecause("it offers " + hello.offered() + " and the switch " + number);
  }

  private void request(Dialect ready, OFMessage message) {
    try {
      ready.request(message);
    } catch (RequestRefused refused) {
      ByteBuf bytes = Unpooled.buffer();
      MessageEncoder.encode(message, bytes);
      sendError(ready, refused.error(), message.getXid(), bytes);
    }
  }

  private void sendError(Dialect ready, ModelError error, long xid, ByteBuf request) {
    agent.counters().errorsSent.increment();
    send(ready.error(error, xid, request));
  }

  private void probe() {
    long silentMillis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - lastHeardNanos);
    if (silentMillis >= agent.settings().silenceMillis()) {
      closeBecause("silent for " + silentMillis + " ms");
    } else if (silentMillis >= agent.settings().echoIntervalMillis() && dialect != null) {
      send(dialect.probe());
    }
  }

  /** Queues a message; all of one turn of the loop go out together. */
  void send(Object message) {
    channel.write(message).addListener(done -> reportFailure(done.cause()));
    if (!flushPending) {
      flushPending = true;
      channel.eventLoop().execute(this::flush);
    }
  }

  private void reportFailure(@Nullable Throwable cause) {
    if (cause != null && channel.isOpen()) {
      closeBecause("a message could not be written: " + cause);
    }
  }

  private void flush() {
    flushPending = false;
    channel.flush();
  }

  /** Requests wait while the controller does not read its replies. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    channel.config().setAutoRead(channel.isWritable());
    context.fireChannelWritabilityChanged();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      // The controller's process or machine is gone: nothing is wrong with the switch.
      reason = ControllerLink.inWords(cause);
      LOG.info(
          "switch {} lost controller {}: {}",
          Long.toHexString(agent.model().features().dpid()),
          channel.remoteAddress(),
          reason);
      close(channel);
      return;
    }
    // What the controller sent cannot be read, or this switch has a defect: the trace tells which.
    LOG.warn(
        "switch {} failed on a message", Long.toHexString(agent.model().features().dpid()), cause);
    closeBecause(ControllerLink.inWords(cause));
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (watch != null) {
      watch.cancel(false);
    }
    agent.left(this);
    context.fireChannelInactive();
  }

  private void closeBecause(String why) {
    if (channel.isOpen()) {
      reason = why;
      if (agent.isNews(this, why)) {
        LOG.warn(
            "switch {} closes its connection to controller {}: {}",
            Long.toHexString(agent.model().features().dpid()),
            channel.remoteAddress(),
            why);
      }
      channel.flush();
      close(channel);
    }
  }

  /** Closes a connection. */
  static void close(Channel channel) {
    // Netty ends a channel also where closing it fails: channelInactive and the link hear of it.
    ChannelFuture unused = channel.close();
  }

  Channel channel() {
    return channel;
  }

  /** Why the connection ended. */
  String reason() {
    return reason == null ? "it closed the connection" : reason;
  }

  boolean hasRoom() {
    return channel.isWritable();
  }

  @Nullable Dialect dialect() {
    return dialect;
  }

  ControllerRole role() {
    return role;
  }

  @Override
  public void setRole(ControllerRole newRole) {
    role = newRole;
    agent.rolesChanged();
  }

  AsyncMasks masks() {
    return masks;
  }

  void setMasks(AsyncMasks newMasks) {
    masks = newMasks;
  }
}
