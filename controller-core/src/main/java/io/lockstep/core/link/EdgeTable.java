package io.lockstep.core.link;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;

/**
 * The table {@code net.edge-ports}: ports that were up and probed for a quarantine without an
 * answer, to the time, in the writer's milliseconds since 1970, at which it ended. A port leaves
 * the table when it goes down or a switch answers behind it.
 */
public final class EdgeTable implements RecordCodec<SwitchPort, Long> {

  /** The table's name. */
  public static final String NAME = "net.edge-ports";

  private static final int FORMAT = 1;

  static void write(ByteWriter out, SwitchPort port) {
    out.int64(port.dpid()).int64(port.port());
  }

  static SwitchPort read(ByteReader in) {
    return new SwitchPort(in.int64(), in.int64());
  }

  @Override
  public Bytes encodeKey(SwitchPort port) {
    ByteWriter out = new ByteWriter(16);
    write(out, port);
    return out.toBytes();
  }

  @Override
  public SwitchPort decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    SwitchPort port = read(in);
    in.end();
    return port;
  }

  @Override
  public Bytes encodeValue(Long sinceMillis) {
    return new ByteWriter(9).int8(FORMAT).int64(sinceMillis).toBytes();
  }

  @Override
  public Long decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "edge port record");
    long sinceMillis = in.int64();
    in.end();
    return sinceMillis;
  }
}
