package io.lockstep.core.link;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code net.links}: directed link (source dpid and port, destination dpid and port) to
 * the time, in the writer's milliseconds since 1970, at which it was found.
 */
public final class LinkTable implements RecordCodec<DirectedLink, Long> {

  /** The table's name. */
  public static final String NAME = "net.links";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(DirectedLink link) {
    ByteWriter out = new ByteWriter(32);
    EdgeTable.write(out, link.src());
    EdgeTable.write(out, link.dst());
    return out.toBytes();
  }

  @Override
  public DirectedLink decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    DirectedLink link = new DirectedLink(EdgeTable.read(in), EdgeTable.read(in));
    in.end();
    return link;
  }

  @Override
  public Bytes encodeValue(Long sinceMillis) {
    return new ByteWriter(9).int8(FORMAT).int64(sinceMillis).toBytes();
  }

  @Override
  public Long decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "link record");
    long sinceMillis = in.int64();
    in.end();
    return sinceMillis;
  }
}
