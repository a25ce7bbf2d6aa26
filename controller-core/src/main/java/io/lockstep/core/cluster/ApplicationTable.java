package io.lockstep.core.cluster;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code core.applications}: application name to its number. */
public final class ApplicationTable implements RecordCodec<String, Short> {

  /** The table's name. */
  public static final String NAME = "core.applications";

  /** The table of the counters from which numbers are taken: topic to counter. */
  public static final String COUNTERS = "core.counters";

  /** Longest name of an application in bytes of UTF-8. */
  static final int MAX_NAME_BYTES = 256;

  @Override
  public Bytes encodeKey(String application) {
    return Bytes.utf8(application);
  }

  @Override
  public String decodeKey(Bytes bytes) {
    return bytes.toUtf8();
  }

  @Override
  public Bytes encodeValue(Short id) {
    return new ByteWriter(8).int64(id).toBytes();
  }

  @Override
  public Short decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    long id = in.int64();
    in.end();
    if (id < 0 || id > Short.MAX_VALUE) {
      throw new IllegalArgumentException("application number " + id + " is out of bounds");
    }
    return (short) id;
  }
}
