package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.RefusedPeerException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.CorruptedFrameException;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One client's connection to the {@link ClientPort}. Owned by the event loop. */
final class ClientConnection extends SimpleChannelInboundHandler<Object> {

  /** Client, session and sequence. */
  static final int HEADER_BYTES = 12;

  private static final Logger log = LoggerFactory.getLogger(ClientConnection.class);
  private static final int MAX_SESSIONS = 64;

  /** How often a client may say which tables it follows. */
  private static final int MAX_FOLLOWS = 64;

  private static final String NO_CLIENT = "it is no client";

  private final ClientPort port;
  private final RequestFrameDecoder decoder;
  private final LinkGuard guard;
  private final Set<Long> sessions = new HashSet<>();
  private @Nullable ClientReplies replies;
  private @Nullable ClientHints hints;
  private int follows;
  private boolean known;
  private boolean established;
  private boolean refused;

  ClientConnection(ClientPort port, RequestFrameDecoder decoder, LinkGuard guard) {
    this.port = port;
    this.decoder = decoder;
    this.guard = guard;
  }

  static long sessionKey(int client, int session) {
    return ((long) client << 32) | (session & 0xffff_ffffL);
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    port.strangerCame(context.channel());
    LoggedFailures.after(
        context.executor(),
        "waiting for a client's handshake",
        guard.handshakeMillis(),
        () -> {
          if (!established) {
            LoggedFailures.close(context);
          }
        });
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, Object frame) {
    if (frame instanceof ClientRequest request) {
      request(context, request);
    } else if (frame instanceof FollowFrame tables) {
      follow(context, tables);
    } else if (frame instanceof ByteBuf hello && !refused && (known || !guard.secures())) {
      greeted(context, hello);
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
        LinkGuard.requireClient(guard.identify(context.channel()));
        known = true;
      } catch (RefusedPeerException e) {
        failed(context, e);
      }
    }
  }

  private void failed(ChannelHandlerContext context, Throwable cause) {
    if (!refused) {
      refused = true;
      String why = guard.describe(cause, true);
      if (why != null) {
        port.refusals().report(context.channel().remoteAddress(), why);
      }
    }
    LoggedFailures.close(context);
  }

  private void greeted(ChannelHandlerContext context, ByteBuf frame) {
    Handshake hello = Handshake.decode(frame);
    String refusal = refusal(hello);
    if (refusal != null) {
      refused = true;
      port.refusals().report(context.channel().remoteAddress(), refusal);
      if (hello == null) {
        LoggedFailures.close(context);
      } else {
        greet(context).addListener(ChannelFutureListener.CLOSE);
      }
      return;
    }
    if (!port.admit()) {
      refused = true;
      port.refusals().report(context.channel().remoteAddress(), "too many connections");
      LoggedFailures.close(context);
      return;
    }
    established = true;
    port.strangerLeft(context.channel());
    decoder.established();
    greet(context).addListener(ChannelFutureListener.FIRE_EXCEPTION_ON_FAILURE);
  }

  private ChannelFuture greet(ChannelHandlerContext context) {
    ReplicaConfig config = port.config();
    ByteBuf out = context.alloc().buffer(Handshake.MAX_BYTES);
    Handshake.toClient(config.clusterId(), config.replicaId()).encode(out);
    return context.writeAndFlush(out);
  }

  private @Nullable String refusal(@Nullable Handshake hello) {
    ReplicaConfig config = port.config();
    if (hello == null) {
      return NO_CLIENT;
    }
    String misfit = hello.misfit(Handshake.CLIENT_LINK, config.clusterId(), "this replica");
    if (misfit != null) {
      return "it " + misfit;
    }
    return hello.to() == config.replicaId()
        ? null
        : "it looks for replica " + hello.to() + ": check the members' addresses";
  }

  private ClientReplies replies(ChannelHandlerContext context) {
    ClientReplies made = replies;
    if (made == null) {
      made =
          new ClientReplies(
              port.config().replicaId(), context.channel(), port.replyBudgets(), port.refusals());
      replies = made;
    }
    return made;
  }

  private void request(ChannelHandlerContext context, ClientRequest request) {
    long session = sessionKey(request.getSender(), request.getSession());
    if (sessions.add(session)) {
      if (sessions.size() > MAX_SESSIONS) {
        request.leave();
        throw new CorruptedFrameException("more than " + MAX_SESSIONS + " sessions");
      }
      port.bind(session, replies(context));
    }
    port.received(request);
  }

  private void follow(ChannelHandlerContext context, FollowFrame tables) {
    if (++follows > MAX_FOLLOWS) {
      throw new CorruptedFrameException("more than " + MAX_FOLLOWS + " times tables to follow");
    }
    ClientHints mine = hints;
    if (mine == null && port.admitFollower()) {
      mine = new ClientHints(context.channel());
      hints = mine;
    }
    if (mine != null) {
      mine.follow(port.hints(), tables);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    ClientHints given = hints;
    if (given != null) {
      hints = null;
      given.end();
      port.followerLeft();
    }
    guard.ended();
    port.strangerLeft(context.channel());
    if (established) {
      port.left();
    }
    ClientReplies mine = replies;
    if (mine != null) {
      for (long session : sessions) {
        port.unbind(session, mine);
      }
      mine.close();
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (!established && LinkFailure.of(cause).isPresent()) {
      failed(context, cause);
      return;
    }
    if (cause instanceof java.io.IOException) {
      log.debug("client {} left", context.channel().remoteAddress(), cause);
    } else if (established) {
      port.refusals()
          .report(
              context.channel().remoteAddress(),
              "replica " + port.config().replicaId() + " closes the connection of client",
              FrameDecoder.describe(cause));
    } else {
      port.refusals()
          .report(
              context.channel().remoteAddress(),
              cause instanceof CorruptedFrameException ? NO_CLIENT : cause.toString());
    }
    LoggedFailures.close(context);
  }
}
