package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request of a client. The bytes arrive in the array that goes into a proposal, so there is one
 * copy. They count against the {@link RequestBudgets.Share} of the connection until {@link #leave}.
 * Owned by the replica's loop.
 */
final class ClientRequest extends TOMMessage {
  private static final long serialVersionUID = 1L;

  /** Bytes that the library writes before the content; {@code TOMMessage.rExternal} reads them. */
  private static final int PREFIX_BYTES = 32;

  /** Bytes of a waiting request beside its content. */
  private static final int OVERHEAD_BYTES = 512;

  private static final byte[] ELSEWHERE = new byte[0];

  private final transient RequestBudgets.Share share;
  private transient int missing;
  private transient boolean left;

  /**
   * Makes a request whose content arrives later. The share already has room for it.
   *
   * @param contentBytes length of the content
   */
  ClientRequest(
      int client, int session, int sequence, int contentBytes, RequestBudgets.Share share) {
    super(client, session, sequence, sequence, ELSEWHERE, 0, TOMMessageType.ORDERED_REQUEST);
    this.share = share;
    this.missing = contentBytes;
    this.serializedMessage =
        ByteBuffer.allocate(PREFIX_BYTES + contentBytes)
            .putInt(client)
            .putInt(0)
            .putInt(TOMMessageType.ORDERED_REQUEST.toInt())
            .putInt(session)
            .putInt(sequence)
            .putInt(sequence)
            .putInt(-1)
            .putInt(contentBytes)
            .array();
  }

  /** Takes the bytes of the content that have arrived; returns whether the content is complete. */
  boolean fill(ByteBuf in) {
    int count = Math.min(missing, in.readableBytes());
    in.readBytes(serializedMessage, serializedMessage.length - missing, count);
    missing -= count;
    return missing == 0;
  }

  /** The bytes that a request with this content takes of a share. */
  static int weight(int contentBytes) {
    return contentBytes + OVERHEAD_BYTES;
  }

  /** A copy. */
  @Override
  public byte[] getContent() {
    return Arrays.copyOfRange(serializedMessage, PREFIX_BYTES, serializedMessage.length);
  }

  /** The share of the connection that sent the request. */
  RequestBudgets.Share share() {
    return share;
  }

  /** Gives the room back, since the request no longer waits here. Later calls do nothing. */
  void leave() {
    if (!left) {
      left = true;
      share.release(weight(contentLength(this)));
    }
  }

  /** Bytes of a request's content. */
  static int contentLength(TOMMessage request) {
    return request.serializedMessage.length - PREFIX_BYTES;
  }

  /**
   * Whether two requests of one client have the same content, so that one is a retry of the other.
   */
  static boolean sameContent(TOMMessage one, @Nullable TOMMessage other) {
    return other != null
        && one.getSender() == other.getSender()
        && Arrays.equals(
            one.serializedMessage,
            PREFIX_BYTES,
            one.serializedMessage.length,
            other.serializedMessage,
            PREFIX_BYTES,
            other.serializedMessage.length);
  }
}
