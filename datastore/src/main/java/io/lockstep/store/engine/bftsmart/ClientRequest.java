package io.lockstep.store.engine.bftsmart;

import bftsmart.tom.core.messages.TOMMessage;
import bftsmart.tom.core.messages.TOMMessageType;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A request as a client sent it. Its only copy of the bytes is the one that goes into a proposal,
 * filled while they arrive; they count against the {@link RequestRoom.Share} of the connection
 * until {@link #leave}. Owned by the replica's loop.
 */
final class ClientRequest extends TOMMessage {
  private static final long serialVersionUID = 1L;

  /** What the library writes before the content; {@code TOMMessage.rExternal} reads it. */
  private static final int PREFIX_BYTES = 32;

  /** What a request takes beside its content, in the table of those that wait. */
  private static final int OVERHEAD_BYTES = 512;

  private static final byte[] ELSEWHERE = new byte[0];

  private final transient RequestRoom.Share share;
  private transient int missing;
  private transient boolean left;

  /**
   * A request without its content yet; the share has room for it.
   *
   * @param contentBytes of the content
   */
  ClientRequest(int client, int session, int sequence, int contentBytes, RequestRoom.Share share) {
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

  /** Takes as much of the content as there is; whether it is complete now. */
  boolean fill(ByteBuf in) {
    int count = Math.min(missing, in.readableBytes());
    in.readBytes(serializedMessage, serializedMessage.length - missing, count);
    missing -= count;
    return missing == 0;
  }

  /** What a request with so much content takes of a share. */
  static int weight(int contentBytes) {
    return contentBytes + OVERHEAD_BYTES;
  }

  /** A copy. */
  @Override
  public byte[] getContent() {
    return Arrays.copyOfRange(serializedMessage, PREFIX_BYTES, serializedMessage.length);
  }

  /** The connection that it came on. */
  RequestRoom.Share share() {
    return share;
  }

  /** It waits for nothing here any more. Later calls do nothing. */
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

  /** Whether two requests of one client have the same content: one was sent again. */
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
