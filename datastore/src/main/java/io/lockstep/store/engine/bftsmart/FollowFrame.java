package io.lockstep.store.engine.bftsmart;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.CorruptedFrameException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * A client asks a replica for hints of the changes of some tables, in the place of a request. Sent
 * only to a replica whose handshake says that it gives hints of this {@link #VERSION}.
 *
 * @param tables 1 to {@value #MAX_TABLES} names of 1 to {@value #MAX_NAME_BYTES} letters, digits,
 *     dots and dashes, sorted
 */
record FollowFrame(List<String> tables) {
  /** In the place of a request's client, which is never negative. */
  static final int MARK = -1;

  static final int VERSION = 1;
  static final int MAX_TABLES = 64;
  static final int MAX_NAME_BYTES = 64;

  /** Bytes in the largest frame, its length prefix not counted. */
  static final int MAX_BYTES = 4 + 1 + 1 + MAX_TABLES * (1 + MAX_NAME_BYTES);

  FollowFrame {
    tables = List.copyOf(tables);
    if (tables.isEmpty() || tables.size() > MAX_TABLES) {
      throw new IllegalArgumentException(tables.size() + " tables");
    }
  }

  /**
   * A frame for these tables.
   *
   * @throws IllegalArgumentException where there are too many, or a name is none
   */
  static FollowFrame of(Collection<String> tables) {
    for (String name : tables) {
      if (!isName(name)) {
        throw new IllegalArgumentException("not the name of a table: " + name);
      }
    }
    return new FollowFrame(List.copyOf(new TreeSet<>(tables)));
  }

  private static boolean isName(String name) {
    return name.matches("[a-z0-9.-]{1," + MAX_NAME_BYTES + "}");
  }

  /** Appends the frame with its length prefix. */
  void encode(ByteBuf out) {
    int start = out.writerIndex();
    out.writeInt(0).writeInt(MARK).writeByte(VERSION).writeByte(tables.size());
    for (String name : tables) {
      byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
      out.writeByte(bytes.length).writeBytes(bytes);
    }
    out.setInt(start, out.writerIndex() - start - 4);
  }

  /**
   * Reads a frame without its length prefix.
   *
   * @throws CorruptedFrameException where it is none of this version
   */
  static FollowFrame decode(ByteBuf in) {
    if (in.readableBytes() < 6 || in.readInt() != MARK || in.readUnsignedByte() != VERSION) {
      throw new CorruptedFrameException("not tables to follow");
    }
    int count = in.readUnsignedByte();
    if (count < 1 || count > MAX_TABLES) {
      throw new CorruptedFrameException(count + " tables to follow");
    }
    List<String> tables = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      int length = in.isReadable() ? in.readUnsignedByte() : 0;
      if (length < 1 || length > in.readableBytes()) {
        throw new CorruptedFrameException("a name of " + length + " bytes to follow");
      }
      String name = in.readCharSequence(length, StandardCharsets.US_ASCII).toString();
      if (!isName(name)) {
        throw new CorruptedFrameException("a table to follow that has no name");
      }
      tables.add(name);
    }
    if (in.isReadable()) {
      throw new CorruptedFrameException(in.readableBytes() + " bytes behind the tables to follow");
    }
    return new FollowFrame(tables);
  }
}
