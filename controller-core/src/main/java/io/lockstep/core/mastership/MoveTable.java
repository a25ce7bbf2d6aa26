package io.lockstep.core.mastership;

import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/** The table {@code mastership.moves}: domain name to {@link Move}. */
public final class MoveTable extends ByDomain<Move> {

  /** The table's name. */
  public static final String NAME = "mastership.moves";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeValue(Move move) {
    return new ByteWriter()
        .int8(FORMAT)
        .utf8(move.node())
        .int64(move.sessionId())
        .int64(move.epoch())
        .flag(move.stays())
        .toBytes();
  }

  @Override
  public Move decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "move of a domain");
    Move move = new Move(in.utf8(DomainTable.MAX_NAME_BYTES), in.int64(), in.int64(), in.flag());
    in.end();
    return move;
  }
}
