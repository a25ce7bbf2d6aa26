package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import io.lockstep.store.typed.TableDef;
import java.util.ArrayList;
import java.util.List;

/**
 * The table {@code net.host-entities}: address and VLAN to {@link HostEntity}. Only {@link
 * HostEntities} writes it. A value is a version byte, the times, the former places, and the record
 * as {@link HostTable} writes it.
 */
final class HostEntityTable implements RecordCodec<HostKey, HostEntity> {

  /** It has no state. */
  static final HostEntityTable CODEC = new HostEntityTable();

  static final String NAME = "net.host-entities";

  /** For readers of single hosts. */
  static final TableDef<HostKey, HostEntity> DEF = new TableDef<>(NAME, CODEC);

  /** A key's length. */
  static final int KEY_BYTES = Long.BYTES + Integer.BYTES;

  /** A value's length at most: a host with all addresses and former places. */
  static final int MAX_BYTES = 324;

  private static final int FORMAT = 1;
  private static final int STAY_BYTES = 4 * Long.BYTES;

  @Override
  public Bytes encodeKey(HostKey key) {
    return HostTable.CODEC.encodeKey(key);
  }

  @Override
  public HostKey decodeKey(Bytes bytes) {
    return HostTable.CODEC.decodeKey(bytes);
  }

  @Override
  public Bytes encodeValue(HostEntity host) {
    ByteWriter out =
        new ByteWriter(128)
            .int8(FORMAT)
            .int64(host.firstSeenMillis())
            .int64(host.lastSeenMillis())
            .varint(host.former().size());
    for (HostEntity.Stay stay : host.former()) {
      out.int64(stay.place().dpid())
          .int64(stay.place().port())
          .int64(stay.sinceMillis())
          .int64(stay.untilMillis());
    }
    return out.bytes(HostTable.CODEC.encodeValue(host.host())).toBytes();
  }

  @Override
  public HostEntity decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "host");
    long firstSeen = in.int64();
    long lastSeen = in.int64();
    int count = in.count(HostEntity.MAX_FORMER, STAY_BYTES);
    List<HostEntity.Stay> former = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      former.add(
          new HostEntity.Stay(new SwitchPort(in.int64(), in.int64()), in.int64(), in.int64()));
    }
    HostRecord host = HostTable.CODEC.decodeValue(in.bytes(MAX_BYTES));
    in.end();
    return new HostEntity(host, firstSeen, lastSeen, former);
  }
}
