package io.lockstep.core.packet;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code core.deactivated-applications}: name of an application to the time of its
 * deactivation, in milliseconds since 1970. An application without a row is active.
 */
public final class DeactivatedTable implements RecordCodec<String, Long> {
  /** The table's name. */
  public static final String NAME = "core.deactivated-applications";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(String application) {
    return Bytes.utf8(application);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(Long sinceMillis) {
    return new ByteWriter(16).int8(FORMAT).int64(sinceMillis).toBytes();
  }

  @Override
  public Long decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "a deactivated application");
    long sinceMillis = in.int64();
    in.end();
    return sinceMillis;
  }
}
