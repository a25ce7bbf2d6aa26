package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A replica's hint to a client that follows tables, in the place of a reply.
 *
 * @param index the index of their newest change; 0 says only that hints come from now on
 */
record HintFrame(long index) {
  /** In the place of a reply's session, which is never negative. */
  static final int MARK = -1;

  static final int VERSION = 1;

  private static final int BYTES = 4 + 1 + 8;

  /** Bytes of the frame with its length prefix. */
  static final int FRAME_BYTES = 4 + BYTES;

  /** Appends the frame with its length prefix. */
  void encode(ByteBuf out) {
    out.writeInt(BYTES).writeInt(MARK).writeByte(VERSION).writeLong(index);
  }

  /** Reads a frame without its length prefix; null where it is another one. */
  static @Nullable HintFrame decode(ByteBuf in) {
    int at = in.readerIndex();
    if (in.readableBytes() != BYTES
        || in.getInt(at) != MARK
        || in.getUnsignedByte(at + 4) != VERSION) {
      return null;
    }
    return new HintFrame(in.getLong(at + 5));
  }
}
