package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.PeerIdentity;
import io.lockstep.keys.RefusedPeerException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One connection of {@link ReplicaLinks}: exchanges handshakes, then decodes messages. Owned by the
 * event loop.
 */
final class LinkHandler extends SimpleChannelInboundHandler<ByteBuf> {

  /** Expected peer of an accepted connection. */
  static final int ANYONE = -1;

  private static final Logger log = LoggerFactory.getLogger(LinkHandler.class);
  private static final String NO_REPLICA = "it is no replica";

  private final ReplicaLinks links;
  private final FrameDecoder decoder;
  private final LinkGuard guard;
  private final int expectedPeer;
  private int peer = ANYONE;

  /** The incarnation that the peer calls itself, and what it knows of this replica's. */
  private int claim;

  private int knows;

  /** What this end has said that it knows of the peer. */
  private int told;

  private @Nullable PeerIdentity identity;
  private boolean refused;
  private long lastReadNanos = System.nanoTime();

  LinkHandler(ReplicaLinks links, FrameDecoder decoder, LinkGuard guard, int expectedPeer) {
    this.links = links;
    this.decoder = decoder;
    this.guard = guard;
    this.expectedPeer = expectedPeer;
  }

  long lastReadNanos() {
    return lastReadNanos;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    if (expectedPeer == ANYONE) {
      links.strangerCame(context.channel());
    }
    if (!guard.secures()) {
      begin(context);
    }
    LoggedFailures.after(
        context.executor(),
        "waiting for a replica's handshake",
        guard.handshakeMillis(),
        () -> {
          if (peer == ANYONE) {
            LoggedFailures.close(context);
          }
        });
  }

  /** The connection carries messages now: who dialled says so first. */
  private void begin(ChannelHandlerContext context) {
    if (expectedPeer != ANYONE) {
      greet(context, expectedPeer).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext context, Object event) {
    if (event instanceof SslHandshakeCompletionEvent handshake) {
      if (handshake.isSuccess()) {
        secured(context);
      } else {
        failed(context, handshake.cause());
      }
    }
  }

  private void secured(ChannelHandlerContext context) {
    try {
      PeerIdentity found = guard.identify(context.channel());
      if (expectedPeer == ANYONE) {
        LinkGuard.requireOneOf(found, links.config().members());
      } else {
        LinkGuard.requireReplica(found, links.config().members().get(expectedPeer));
      }
      identity = found;
      begin(context);
    } catch (RefusedPeerException e) {
      failed(context, e);
    }
  }

  private void failed(ChannelHandlerContext context, Throwable cause) {
    if (!refused) {
      refused = true;
      String why = guard.describe(cause, expectedPeer == ANYONE);
      if (why != null) {
        links.refusals().report(context.channel().remoteAddress(), why);
      }
    }
    LoggedFailures.close(context);
  }

  private ChannelFuture greet(ChannelHandlerContext context, int to) {
    ByteBuf out = context.alloc().buffer(Handshake.MAX_BYTES);
    told = to < links.config().members().size() && to >= 0 ? links.machines().known(to) : 0;
    Handshake.ofReplica(links.config(), links.requestVersion(), to, told).encode(out);
    return context.writeAndFlush(out);
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, ByteBuf frame) {
    lastReadNanos = System.nanoTime();
    if (peer != ANYONE) {
      // Frames that were read together still arrive after the end of their link.
      if (links.counts(peer, context.channel())) {
        links.deliver(LinkCodec.decode(peer, frame));
      }
      return;
    }
    if (refused) {
      return;
    }
    Handshake hello = Handshake.decode(frame);
    String refusal = refusal(hello);
    if (hello == null || refusal != null) {
      refuse(context, hello, String.valueOf(refusal));
      return;
    }
    try {
      if (identity != null) {
        LinkGuard.requireReplica(identity, links.config().members().get(hello.from()));
      }
    } catch (RefusedPeerException e) {
      failed(context, e);
      return;
    }
    String machineRefusal = machineRefusal(hello);
    if (machineRefusal != null) {
      refuse(context, hello, machineRefusal);
      return;
    }
    peer = hello.from();
    claim = hello.claim();
    knows = hello.knows();
    links.strangerLeft(context.channel());
    decoder.established();
    if (expectedPeer == ANYONE) {
      greet(context, peer).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
    }
    links.established(peer, context.channel());
  }

  private void refuse(ChannelHandlerContext context, @Nullable Handshake hello, String why) {
    refused = true;
    links.refusals().report(context.channel().remoteAddress(), why);
    if (hello != null && expectedPeer == ANYONE) {
      greet(context, hello.from()).addListener(ChannelFutureListener.CLOSE);
    } else {
      LoggedFailures.close(context);
    }
  }

  private @Nullable String refusal(@Nullable Handshake hello) {
    ReplicaConfig config = links.config();
    if (hello == null) {
      return NO_REPLICA;
    }
    String misfit = hello.misfit(Handshake.REPLICA_LINK, config.clusterId(), "this replica");
    if (misfit != null) {
      return "it " + misfit;
    }
    if (hello.requestVersion() != links.requestVersion()) {
      return "it reads requests of version "
          + hello.requestVersion()
          + ", this replica of version "
          + links.requestVersion()
          + ", so their states would diverge: run the same release everywhere";
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

  private @Nullable String machineRefusal(Handshake hello) {
    MachineView machines = links.machines();
    // Only where this end has dialled: whoever can connect could end this process otherwise.
    String superseded = expectedPeer == ANYONE ? null : machines.superseded(hello.knows());
    if (superseded != null) {
      links.superseded(superseded);
      return superseded;
    }
    machines.heard(hello.from(), hello.claim());
    String refusal = machines.refusal(hello.from(), hello.claim(), hello.knows());
    if (refusal == null && expectedPeer != ANYONE && told != machines.known(hello.from())) {
      // It refuses what this end has said. The next dial says what it has learned.
      return "it is incarnation " + hello.claim() + " of replica " + hello.from();
    }
    return refusal;
  }

  /** Why this link must end by what is known now; null if it may stay. */
  @Nullable String unfit() {
    return links.machines().refusal(peer, claim, knows);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    guard.ended();
    links.strangerLeft(context.channel());
    if (peer != ANYONE) {
      links.lost(peer, context.channel());
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (peer == ANYONE && LinkFailure.of(cause).isPresent()) {
      failed(context, cause);
      return;
    }
    if (cause instanceof java.io.IOException) {
      log.debug("replica link with {} ended", context.channel().remoteAddress(), cause);
    } else if (peer == ANYONE) {
      links
          .refusals()
          .report(
              context.channel().remoteAddress(),
              cause instanceof CorruptedFrameException ? NO_REPLICA : cause.toString());
    } else {
      links
          .refusals()
          .report(
              context.channel().remoteAddress(),
              "replica "
                  + links.config().replicaId()
                  + " closes its link with replica "
                  + peer
                  + " at",
              FrameDecoder.describe(cause));
    }
    LoggedFailures.close(context);
  }
}
