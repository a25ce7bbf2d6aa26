package io.lockstep.core.flow.placed;

import io.lockstep.core.flow.placed.LogicalRule.Origin;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code net.placed-rules}: the logical tables of placed switches, a row for each rule.
 * The master of a switch writes a row when it adds, changes or removes the rule.
 */
final class PlacedRowTable implements RecordCodec<RowKey, PlacedRow> {
  static final String NAME = "net.placed-rules";

  private static final int FORMAT = 1;
  private static final int MAX_TREATMENT_BYTES = 64 << 10;
  private static final Origin[] ORIGINS = {Origin.SYSTEM, Origin.INTENDED, Origin.SOFT};

  @Override
  public Bytes encodeKey(RowKey key) {
    return key.encode();
  }

  @Override
  public RowKey decodeKey(Bytes bytes) {
    return RowKey.decode(bytes);
  }

  @Override
  public Bytes encodeValue(PlacedRow row) {
    ByteWriter out = new ByteWriter(128).int8(FORMAT);
    write(row, out);
    return out.toBytes();
  }

  static void write(PlacedRow row, ByteWriter out) {
    RowKey.writeKey(row.key(), out);
    out.bytes(row.treatment())
        .flag(row.live())
        .int64(Double.doubleToLongBits(row.weight()))
        .int64(row.bornMillis())
        .int8(code(row.origin()))
        .int64(row.owner())
        .int32(row.idleSeconds())
        .int32(row.hardSeconds());
  }

  private static int code(Origin origin) {
    return switch (origin) {
      case SYSTEM -> 0;
      case INTENDED -> 1;
      case SOFT -> 2;
    };
  }

  @Override
  public PlacedRow decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "placed rule");
    PlacedRow row = read(in);
    in.end();
    return row;
  }

  static PlacedRow read(ByteReader in) {
    return new PlacedRow(
        RowKey.readKey(in),
        in.bytes(MAX_TREATMENT_BYTES),
        in.flag(),
        Double.longBitsToDouble(in.int64()),
        in.int64(),
        origin(in.uint8()),
        in.int64(),
        in.int32(),
        in.int32());
  }

  private static Origin origin(int code) {
    if (code >= ORIGINS.length) {
      throw new IllegalArgumentException("unknown origin " + code);
    }
    return ORIGINS[code];
  }
}
