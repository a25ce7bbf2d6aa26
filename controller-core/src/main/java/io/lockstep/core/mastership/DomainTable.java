package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code mastership.domains}: domain name to {@link DomainRecord}. */
public final class DomainTable extends ByDomain<DomainRecord> {

  /** The table's name. */
  public static final String NAME = "mastership.domains";

  /** Longest name of a domain or node in bytes of UTF-8. */
  static final int MAX_NAME_BYTES = 64;

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeValue(DomainRecord domain) {
    return new ByteWriter()
        .int8(FORMAT)
        .utf8(domain.node())
        .int64(domain.sessionId())
        .int64(domain.epoch())
        .int64(domain.sinceMillis())
        .toBytes();
  }

  @Override
  public DomainRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "domain record");
    DomainRecord domain =
        new DomainRecord(in.utf8(MAX_NAME_BYTES), in.int64(), in.int64(), in.int64());
    in.end();
    return domain;
  }
}
