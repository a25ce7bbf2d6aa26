package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.state.RecordCodec;
import io.lockstep.store.Bytes;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * The tables {@code net.hosts} and {@code net.host-moves}: address and VLAN to {@link HostRecord}.
 * A record of the second is a move that somebody claims: where the host is said to be now.
 */
final class HostTable implements RecordCodec<HostKey, HostRecord> {

  static final String HOSTS = "net.hosts";
  static final String MOVES = "net.host-moves";

  private static final int FORMAT = 1;

  @Override
  public Bytes encodeKey(HostKey key) {
    return new ByteWriter(12).int64(key.mac()).int32(key.vlan()).toBytes();
  }

  @Override
  public HostKey decodeKey(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    HostKey key = new HostKey(in.int64(), in.int32());
    in.end();
    return key;
  }

  @Override
  public Bytes encodeValue(HostRecord host) {
    ByteWriter out =
        new ByteWriter(64)
            .int8(FORMAT)
            .int64(host.location().dpid())
            .int64(host.location().port())
            .int64(host.sinceMillis())
            .varint(host.ips().size());
    host.ips().forEach(out::int32);
    return out.toBytes();
  }

  @Override
  public HostRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    in.version(FORMAT, "host record");
    SwitchPort location = new SwitchPort(in.int64(), in.int64());
    long sinceMillis = in.int64();
    int count = in.count(HostRecord.MAX_IPS, Integer.BYTES);
    List<Integer> ips = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ips.add(in.int32());
    }
    in.end();
    return new HostRecord(location, ips, sinceMillis);
  }
}
