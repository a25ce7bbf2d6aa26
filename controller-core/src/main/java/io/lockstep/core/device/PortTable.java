package io.lockstep.core.device;

import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import org.onosproject.net.Port;

/** The table {@code net.ports}: datapath id and port number to {@link PortRecord}. */
public final class PortTable implements RecordCodec<PortTable.Key, PortRecord> {

  /** The table's name. */
  public static final String NAME = "net.ports";

  private static final int FORMAT = 1;
  private static final int MAX_NAME_BYTES = 256;

  /**
   * A port of a switch.
   *
   * @param port the port number, unsigned 32-bit
   */
  public record Key(long dpid, long port) {}

  @Override
  public Bytes encodeKey(Key key) {
    return new ByteWriter(16).int64(key.dpid()).int64(key.port()).toBytes();
  }

  @Override
  public Key decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    Key key = new Key(in.int64(), in.int64());
    in.end();
    return key;
  }

  @Override
  public Bytes encodeValue(PortRecord port) {
    return new ByteWriter()
        .int8(FORMAT)
        .utf8(port.name())
        .flag(port.enabled())
        .utf8(port.type().name())
        .int64(port.speedMbps())
        .toBytes();
  }

  @Override
  public PortRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "port record");
    PortRecord port =
        new PortRecord(
            in.utf8(MAX_NAME_BYTES),
            in.flag(),
            Port.Type.valueOf(in.utf8(MAX_NAME_BYTES)),
            in.int64());
    in.end();
    return port;
  }
}
