package io.lockstep.bench.openflow;

import io.lockstep.bench.openflow.SwitchPersona.ControllerRole;
import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.MessageDecoder;
import io.lockstep.openflow.codec.OpenFlowVersions;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFType;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection of a played switch to one controller, on the event loop. */
final class SwitchChannel extends ChannelInboundHandlerAdapter {
  private static final Logger log = LoggerFactory.getLogger(SwitchChannel.class);

  private final PlayedSwitch owner;
  private final MessageDecoder decoder;
  private final String name;
  private @Nullable ChannelHandlerContext context;
  private @Nullable ControllerRole controller;
  private boolean introduced;
  private boolean unflushed;

  /**
   * @param name of switch and controller, for the log
   */
  SwitchChannel(PlayedSwitch owner, MessageDecoder decoder, String name) {
    this.owner = owner;
    this.decoder = decoder;
    this.name = name;
  }

  /** Whether packet-ins can be sent here: the handshake is over and the controller not a slave. */
  boolean hearsPacketIns() {
    return introduced && controller != null && controller.hearsPacketIns();
  }

  /**
   * Writes one packet-in, to be flushed by {@link #flush}; false, and the bytes are dropped, where
   * the controller does not read fast enough.
   */
  boolean write(ByteBuf packetIn) {
    ChannelHandlerContext at = context;
    if (at == null || !isWritable()) {
      packetIn.release();
      return false;
    }
    write(at, packetIn);
    return true;
  }

  /** A void promise passes a failure to {@link #exceptionCaught}. */
  private void write(ChannelHandlerContext context, Object message) {
    unflushed = true;
    ChannelFuture unused = context.write(message, context.voidPromise());
  }

  /** Whether the controller reads fast enough for more. */
  boolean isWritable() {
    return context != null && context.channel().isWritable();
  }

  /** Ends the connection. */
  void close() {
    if (context != null) {
      close(context);
    }
  }

  private static void close(ChannelHandlerContext context) {
    context.close().addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  /** Sends what was written. */
  void flush() {
    if (unflushed && context != null) {
      unflushed = false;
      context.flush();
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    this.context = context;
    controller = owner.persona().connected(this);
    owner.connected(this);
    context
        .writeAndFlush(Hello.offering(1, OpenFlowVersions.SUPPORTED))
        .addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (message instanceof Answer answer) {
      // A slave's would be refused (OpenFlow 1.3.5 section 6.3.4).
      if (hearsPacketIns()) {
        owner.answered(answer);
      }
    } else if (message instanceof Probe probe) {
      if (hearsPacketIns()) {
        owner.probed(probe);
      }
    } else if (message instanceof Hello hello) {
      OFVersion version = hello.negotiate(OpenFlowVersions.SUPPORTED);
      if (version == null) {
        log.warn("{}: no version in common, offered {}", name, hello.offered());
        close(context);
      } else {
        decoder.negotiated(version);
      }
    } else if (message instanceof OFMessage request && controller != null) {
      for (OFMessage answer : owner.persona().answer(controller, request)) {
        write(context, answer);
      }
      introduced |= request.getType() == OFType.FEATURES_REQUEST;
    }
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    flush();
    owner.readComplete();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    this.context = null;
    introduced = false;
    owner.persona().disconnected(this);
    owner.disconnected(this);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      log.info("{}: {}", name, cause.getMessage());
    } else {
      log.warn("{}: closing", name, cause);
    }
    close(context);
  }
}
