package io.lockstep.core.mastership;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code mastership.switches}: datapath id to {@link DelegationRecord}. */
public final class DelegationTable implements RecordCodec<Long, DelegationRecord> {

  /** The table's name. */
  public static final String NAME = "mastership.switches";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(Long dpid) {
    return new ByteWriter(8).int64(dpid).toBytes();
  }

  @Override
  public Long decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    long dpid = in.int64();
    in.end();
    return dpid;
  }

  @Override
  public Bytes encodeValue(DelegationRecord delegation) {
    return new ByteWriter()
        .int8(FORMAT)
        .utf8(delegation.domain())
        .utf8(delegation.node())
        .int64(delegation.sessionId())
        .int64(delegation.epoch())
        .toBytes();
  }

  @Override
  public DelegationRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "delegation record");
    DelegationRecord delegation =
        new DelegationRecord(
            in.utf8(DomainTable.MAX_NAME_BYTES),
            in.utf8(DomainTable.MAX_NAME_BYTES),
            in.int64(),
            in.int64());
    in.end();
    return delegation;
  }
}
