package io.lockstep.core.path;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code net.path-tags}: which path a tag belongs to. */
final class TagTable implements RecordCodec<Integer, String> {
  static final String NAME = "net.path-tags";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(Integer tag) {
    return new ByteWriter(2).int16(tag).toBytes();
  }

  @Override
  public Integer decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    int tag = in.uint16();
    in.end();
    return tag;
  }

  @Override
  public Bytes encodeValue(String path) {
    return new ByteWriter().int8(FORMAT).utf8(path).toBytes();
  }

  @Override
  public String decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "tag of a path");
    String path = in.utf8(4 * PathTable.MAX_NAME);
    in.end();
    return path;
  }
}
