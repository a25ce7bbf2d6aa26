package io.lockstep.openflow.channel;

import io.lockstep.openflow.channel.ConnectionLog.Severity;
import io.lockstep.openflow.channel.access.Credential;
import io.lockstep.openflow.channel.access.SwitchTls;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.ScheduledFuture;
import java.security.cert.CertificateException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Stands first on a connection and lets it pass with what it showed: a certificate, if it begins
 * with a TLS record, or else its address. A switch speaks first in both cases: it sends its HELLO
 * by itself (OpenFlow 1.3.5 section 6.3.1), or begins TLS (RFC 8446 section 4.1.2). Handlers behind
 * it see an active connection only then. Owned by the event loop.
 */
final class EntryHandler extends ByteToMessageDecoder {
  /** The type of a TLS record with a handshake message; no OpenFlow version has this number. */
  private static final int TLS_HANDSHAKE = 22;

  /** The first byte of the version that follows. */
  private static final int TLS_MAJOR = 3;

  private final ServerRoom room;
  private final Peer peer;
  private final Runnable known;
  private @Nullable ScheduledFuture<?> deadline;

  /**
   * Of one connection.
   *
   * @param known run once the connection may speak OpenFlow
   */
  EntryHandler(ServerRoom room, Peer peer, Runnable known) {
    this.room = room;
    this.peer = peer;
    this.known = known;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) {
    int millis = room.config().handshakeTimeoutMillis();
    deadline =
        context
            .executor()
            .schedule(
                () -> peer.close(Severity.WARN, "it said nothing in " + millis + " ms"),
                millis,
                TimeUnit.MILLISECONDS);
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (peer.isClosing()) {
      in.skipBytes(in.readableBytes());
    } else if (isTls(in)) {
      secure(context, in);
    } else {
      String refusal = room.access().refusal(peer.address());
      if (refusal == null) {
        peer.showed(new Credential.Address(peer.address()));
        pass(context);
        context.pipeline().remove(this);
      } else {
        refuse(in, refusal);
      }
    }
  }

  private static boolean isTls(ByteBuf in) {
    int first = in.readerIndex();
    return in.getUnsignedByte(first) == TLS_HANDSHAKE
        && (in.readableBytes() == 1 || in.getUnsignedByte(first + 1) == TLS_MAJOR);
  }

  private void refuse(ByteBuf in, String reason) {
    room.counters().refused();
    peer.close(Severity.WARN, reason);
    in.skipBytes(in.readableBytes());
  }

  private void secure(ChannelHandlerContext context, ByteBuf in) {
    SwitchTls tls = room.access().tls();
    if (tls == null) {
      refuse(in, "it speaks TLS, and this node has no keys: see the key keys, or connect by tcp");
      return;
    }
    cancelDeadline();
    SslHandler handler = tls.serve(context.pipeline());
    ByteBuf seen = in.readRetainedSlice(in.readableBytes());
    // Its handshake has a deadline, so this one is not needed any more.
    handler
        .handshakeFuture()
        .addListener(
            done -> {
              ChannelHandlerContext behind = context.pipeline().context(handler);
              if (!done.isSuccess()) {
                untrusted(tls, done.cause());
              } else if (behind != null) {
                trusted(tls, handler, behind);
              }
            });
    context.pipeline().remove(this);
    // From the very first handler on, which is one of TLS now.
    context.pipeline().fireChannelRead(seen).fireChannelReadComplete();
  }

  private void trusted(SwitchTls tls, SslHandler handler, ChannelHandlerContext behind) {
    try {
      peer.showed(
          tls.certificate(
              handler.engine().getSession(),
              peer.channel(),
              () -> peer.close(Severity.WARN, "its certificate was revoked or has expired")));
    } catch (CertificateException e) {
      untrusted(tls, e);
      return;
    }
    known.run();
    // Handlers of OpenFlow have waited for a connection that is active.
    behind.fireChannelActive();
  }

  private void untrusted(SwitchTls tls, Throwable failure) {
    room.counters().refused();
    peer.close(Severity.WARN, tls.failed(failure));
  }

  private void pass(ChannelHandlerContext context) {
    cancelDeadline();
    known.run();
    context.fireChannelActive();
  }

  private void cancelDeadline() {
    if (deadline != null) {
      deadline.cancel(false);
    }
  }

  @Override
  protected void handlerRemoved0(ChannelHandlerContext context) {
    cancelDeadline();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
    Faults.close(peer, fault);
  }
}
