package io.lockstep.core.flow.placed;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/** The table {@code net.placed-switches}: for each placed switch the plan that is under way. */
final class PlanTable implements RecordCodec<Long, PlanRow> {
  static final String NAME = "net.placed-switches";

  private static final int FORMAT = 1;
  private static final int MAX_NAME_BYTES = 1_024;
  private static final int MAX_LAYERS = 16;
  private static final int MAX_PENDING = 1 << 16;

  /** The kinds of pending changes; these numbers are part of the format. */
  private static final int PUT = 1;

  private static final int DROP = 2;
  private static final int LIVE = 3;
  private static final int RESIZE = 4;

  private static final PendingChange.Visitor<ByteWriter> WRITE =
      new PendingChange.Visitor<>() {
        @Override
        public void put(PendingChange.Put change, ByteWriter out) {
          out.int8(PUT);
          PlacedRowTable.write(change.row(), out);
        }

        @Override
        public void drop(PendingChange.Drop change, ByteWriter out) {
          out.int8(DROP);
          RowKey.writeKey(change.key(), out);
        }

        @Override
        public void live(PendingChange.Live change, ByteWriter out) {
          out.int8(LIVE);
          RowKey.writeKey(change.key(), out);
          out.flag(change.live());
        }

        @Override
        public void resize(PendingChange.Resize change, ByteWriter out) {
          out.int8(RESIZE).int32(change.layer()).int64(change.units());
        }
      };

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
  public Bytes encodeValue(PlanRow row) {
    ByteWriter out =
        new ByteWriter(64)
            .int8(FORMAT)
            .utf8(row.profile())
            .int64(row.epoch())
            .flag(row.independent())
            .varint(row.capacities().size());
    row.capacities().forEach(out::int64);
    out.varint(row.pending().size());
    row.pending().forEach(one -> one.accept(WRITE, out));
    return out.toBytes();
  }

  @Override
  public PlanRow decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "placed switch");
    String profile = in.utf8(MAX_NAME_BYTES);
    long epoch = in.int64();
    boolean independent = in.flag();
    List<Long> capacities = new ArrayList<>();
    for (int i = in.count(MAX_LAYERS, 8); i > 0; i--) {
      capacities.add(in.int64());
    }
    List<PendingChange> pending = new ArrayList<>();
    for (int i = in.count(MAX_PENDING, 5); i > 0; i--) {
      pending.add(read(in));
    }
    in.end();
    return new PlanRow(profile, epoch, capacities, pending, independent);
  }

  private static PendingChange read(ByteReader in) {
    int kind = in.uint8();
    return switch (kind) {
      case PUT -> new PendingChange.Put(PlacedRowTable.read(in));
      case DROP -> new PendingChange.Drop(RowKey.readKey(in));
      case LIVE -> new PendingChange.Live(RowKey.readKey(in), in.flag());
      case RESIZE -> new PendingChange.Resize(in.int32(), in.int64());
      default -> throw new IllegalArgumentException("unknown pending change " + kind);
    };
  }
}
