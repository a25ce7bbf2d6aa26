package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of {@link ReplicaLinks}: shakes hands, then decodes. Owned by the event loop,
 * except {@link #lastReadNanos} which that loop reads too.
 */
final class LinkHandler extends SimpleChannelInboundHandler<ByteBuf> {

  /** Expected peer of an accepted connection. */
  static final int ANYONE = -1;

  private static final Logger log = LoggerFactory.getLogger(LinkHandler.class);
  private static final long HANDSHAKE_MILLIS = 2000;

  private final ReplicaLinks links;
  private final Frames frames;
  private final int expectedPeer;
  private int peer = ANYONE;
  private boolean admitted;
  private long lastReadNanos = System.nanoTime();

  LinkHandler(ReplicaLinks links, Frames frames, int expectedPeer) {
    this.links = links;
    this.frames = frames;
    this.expectedPeer = expectedPeer;
  }

  long lastReadNanos() {
    return lastReadNanos;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (expectedPeer == ANYONE) {
      admitted = links.admitStranger();
      if (!admitted) {
        context.close();
        return;
      }
    } else {
      greet(context, expectedPeer);
    }
    context
        .executor()
        .schedule(
            () -> {
              if (peer == ANYONE) {
                context.close();
              }
            },
            HANDSHAKE_MILLIS,
            TimeUnit.MILLISECONDS);
  }

  private void greet(ChannelHandlerContext context, int to) {
    ReplicaConfig config = links.config();
    ByteBuf out = context.alloc().buffer(Handshake.MAX_BYTES);
    new Handshake(Handshake.REPLICA_LINK, config.clusterId(), config.replicaId(), to).encode(out);
    context.writeAndFlush(out, context.voidPromise());
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    lastReadNanos = System.nanoTime();
    if (peer != ANYONE) {
      links.deliver(LinkCodec.decode(peer, frame));
      return;
    }
    Handshake hello = Handshake.decode(frame);
    String refusal = refusal(hello);
    if (hello == null || refusal != null) {
      log.warn(
          "replica {} refuses a replica link with {}: {}",
          links.config().replicaId(),
          context.channel().remoteAddress(),
          refusal);
      context.close();
      return;
    }
    peer = hello.from();
    frames.established();
    if (expectedPeer == ANYONE) {
      greet(context, peer);
    }
    links.established(peer, context.channel());
  }

  private @Nullable String refusal(@Nullable Handshake hello) {
    ReplicaConfig config = links.config();
    if (hello == null || hello.purpose() != Handshake.REPLICA_LINK) {
      return "it is no replica of this version";
    }
    if (!hello.clusterId().equals(config.clusterId())) {
      return "it belongs to cluster '"
          + hello.clusterId()
          + "', this replica to '"
          + config.clusterId()
          + "'";
    }
    if (hello.to() != config.replicaId()) {
      return "it looks for replica " + hello.to() + ", this is replica " + config.replicaId();
    }
    boolean known =
        expectedPeer == ANYONE
            ? hello.from() > config.replicaId() && hello.from() < config.members().size()
            : hello.from() == expectedPeer;
    return known ? null : "it calls itself replica " + hello.from();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    if (admitted) {
      links.strangerLeft();
    }
    if (peer != ANYONE) {
      links.lost(peer, context.channel());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof java.io.IOException) {
      log.debug("replica link with {} ended", context.channel().remoteAddress(), cause);
    } else {
      log.warn(
          "replica {} closes its link with {}: {}",
          links.config().replicaId(),
          context.channel().remoteAddress(),
          cause.toString());
    }
    context.close();
  }
}
