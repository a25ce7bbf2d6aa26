package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The store's own table {@code sys.sessions}: open session to its owner, for reading only. */
public final class SessionTable implements RecordCodec<Long, String> {

  /** The table's name. */
  public static final String NAME = "sys.sessions";

  @Override
  public Bytes encodeKey(Long sessionId) {
    return new ByteWriter(8).int64(sessionId).toBytes();
  }

  @Override
  public Long decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    long sessionId = in.int64();
    in.end();
    return sessionId;
  }

  @Override
  public Bytes encodeValue(String owner) {
    return Bytes.utf8(owner);
  }

  @Override
  public String decodeValue(Bytes bytes) {
    return bytes.toUtf8();
  }
}
