package io.lockstep.store.engine.bftsmart;

import io.lockstep.keys.LinkFailure;
import io.lockstep.keys.LinkRefusal;
import io.lockstep.keys.RefusedPeerException;
import io.lockstep.store.logging.BoundedLog;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.netty.handler.codec.CorruptedFrameException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Splits a client's stream into frames with a four-byte length prefix: first the handshake, passed
 * on as bytes, then {@link ClientRequest}s. It copies a request's bytes straight to their final
 * place, once the {@link RequestBudgets} has room for all of them. Until then it does not read the
 * connection. So a waiting connection costs at most one read from its socket.
 *
 * <p>Owned by the channel's event loop.
 */
final class RequestFrameDecoder extends ByteToMessageDecoder implements RequestBudgets.Reader {
  private static final int HEADER_BYTES = ClientConnection.HEADER_BYTES;
  private static final int LENGTH_BYTES = 4;
  private static final BoundedLog log = BoundedLog.of(RequestFrameDecoder.class);

  private final int maxBytes;
  private final int replicaId;
  private final RequestBudgets.Share share;
  private boolean established;
  private boolean closed;
  private @Nullable ClientRequest incoming;
  private @Nullable ChannelHandlerContext paused;
  private @Nullable ChannelHandlerContext own;

  /**
   * @param maxBytes of a request's frame
   */
  RequestFrameDecoder(int replicaId, int maxBytes, RequestBudgets budgets) {
    this.replicaId = replicaId;
    this.maxBytes = maxBytes;
    this.share = budgets.share(this);
  }

  /** Accepts requests, after a handshake. */
  void established() {
    established = true;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    own = context;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws RefusedPeerException {
    if (closed) {
      in.skipBytes(in.readableBytes());
    } else if (incoming != null) {
      fill(incoming, in, out);
    } else if (in.readableBytes() >= LENGTH_BYTES) {
      begin(context, in, out);
    }
  }

  private void begin(ChannelHandlerContext context, ByteBuf in, List<Object> out)
      throws RefusedPeerException {
    int length = in.getInt(in.readerIndex());
    int most = established ? maxBytes : Handshake.MAX_BYTES;
    if (length < 1 || length > most) {
      if (!established && LinkFailure.isTls(in)) {
        closed = true;
        in.skipBytes(in.readableBytes());
        throw new RefusedPeerException(LinkRefusal.NO_TLS, LinkFailure.PEER_SPEAKS_TLS);
      }
      throw corrupted(in, "a frame of " + length + " bytes, at most " + most);
    }
    if (!established) {
      if (in.readableBytes() >= LENGTH_BYTES + length) {
        in.skipBytes(LENGTH_BYTES);
        out.add(in.readRetainedSlice(length));
      }
      return;
    }
    if (in.readableBytes() < 2 * LENGTH_BYTES) {
      return;
    }
    if (in.getInt(in.readerIndex() + LENGTH_BYTES) == FollowFrame.MARK) {
      follow(length, in, out);
      return;
    }
    if (length < HEADER_BYTES) {
      throw corrupted(in, "request of " + length + " bytes");
    }
    if (in.readableBytes() < LENGTH_BYTES + HEADER_BYTES) {
      return;
    }
    int contentBytes = length - HEADER_BYTES;
    if (!share.take(ClientRequest.weight(contentBytes))) {
      pause(context);
      return;
    }
    in.skipBytes(LENGTH_BYTES);
    int client = in.readInt();
    int session = in.readInt();
    int sequence = in.readInt();
    ClientRequest request = new ClientRequest(client, session, sequence, contentBytes, share);
    incoming = request;
    if (client < 0 || sequence < 0) {
      throw corrupted(in, "client " + client + ", sequence " + sequence);
    }
    if (!fill(request, in, out)) {
      share.begun();
    }
  }

  /** Reads it when all of it has come: it is no longer than one read from the socket. */
  private void follow(int length, ByteBuf in, List<Object> out) {
    if (length > FollowFrame.MAX_BYTES) {
      throw corrupted(in, "tables to follow in " + length + " bytes");
    }
    if (in.readableBytes() < LENGTH_BYTES + length) {
      return;
    }
    in.skipBytes(LENGTH_BYTES);
    ByteBuf frame = in.readSlice(length);
    try {
      out.add(FollowFrame.decode(frame));
    } catch (CorruptedFrameException e) {
      throw corrupted(in, String.valueOf(e.getMessage()));
    }
  }

  private boolean fill(ClientRequest request, ByteBuf in, List<Object> out) {
    share.moved();
    if (!request.fill(in)) {
      return false;
    }
    incoming = null;
    share.completed();
    out.add(request);
    return true;
  }

  /** Closes the stream: the bytes after this cannot be read, and must not cause another error. */
  private CorruptedFrameException corrupted(ByteBuf in, String what) {
    closed = true;
    in.skipBytes(in.readableBytes());
    return new CorruptedFrameException(what);
  }

  private void pause(ChannelHandlerContext context) {
    if (paused == null) {
      paused = context;
      context.channel().config().setAutoRead(false);
    }
  }

  /** Stops the base class from reading on while autoRead is off. */
  @Override
  public void channelReadComplete(ChannelHandlerContext context) throws Exception {
    if (paused == null) {
      super.channelReadComplete(context);
    } else {
      discardSomeReadBytes();
      context.fireChannelReadComplete();
    }
  }

  @Override
  public void resume() {
    ChannelHandlerContext context = paused;
    if (context == null || closed) {
      return;
    }
    paused = null;
    try {
      // Decodes bytes that have been read already; may find no room again.
      channelRead(context, Unpooled.EMPTY_BUFFER);
      channelReadComplete(context);
    } catch (Exception e) {
      context.fireExceptionCaught(e);
    }
    if (paused == null) {
      context.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void giveUp(String why) {
    ChannelHandlerContext context = own;
    if (context != null) {
      log.warn(
          replicaId + " " + RefusalLog.machine(context.channel().remoteAddress()),
          "replica {} closes the connection of client {}: {}",
          replicaId,
          context.channel().remoteAddress(),
          why);
      LoggedFailures.close(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    closed = true;
    share.close();
    ClientRequest begun = incoming;
    incoming = null;
    if (begun != null) {
      begun.leave();
    }
    super.channelInactive(context);
  }
}
