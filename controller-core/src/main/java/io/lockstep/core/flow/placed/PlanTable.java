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
  private static final int PUT = 1;
  private static final int DROP = 2;
  private static final int LIVE = 3;
  private static final int RESIZE = 4;

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
    row.pending().forEach(one -> write(one, out));
    return out.toBytes();
  }

  private static void write(Pending one, ByteWriter out) {
    if (one instanceof Pending.Put put) {
      out.int8(PUT);
      PlacedRowTable.write(put.row(), out);
    } else if (one instanceof Pending.Drop drop) {
      out.int8(DROP);
      RowKey.writeKey(drop.key(), out);
    } else if (one instanceof Pending.Live live) {
      out.int8(LIVE);
      RowKey.writeKey(live.key(), out);
      out.flag(live.live());
    } else if (one instanceof Pending.Resize resize) {
      out.int8(RESIZE).int32(resize.layer()).int64(resize.units());
    }
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
    List<Pending> pending = new ArrayList<>();
    for (int i = in.count(MAX_PENDING, 5); i > 0; i--) {
      pending.add(read(in));
    }
    in.end();
    return new PlanRow(profile, epoch, capacities, pending, independent);
  }

  private static Pending read(ByteReader in) {
    int kind = in.uint8();
    return switch (kind) {
      case PUT -> new Pending.Put(PlacedRowTable.read(in));
      case DROP -> new Pending.Drop(RowKey.readKey(in));
      case LIVE -> new Pending.Live(RowKey.readKey(in), in.flag());
      case RESIZE -> new Pending.Resize(in.int32(), in.int64());
      default -> throw new IllegalArgumentException("unknown pending change " + kind);
    };
  }
}
