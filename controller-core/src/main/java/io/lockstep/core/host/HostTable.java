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

  /** Records of format 1 had no IPv6 addresses; they are still read. */
  private static final int FORMAT = 2;

  private static final int FORMAT_WITHOUT_IP6 = 1;

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
        new ByteWriter(128)
            .int8(FORMAT)
            .int64(host.location().dpid())
            .int64(host.location().port())
            .int64(host.sinceMillis())
            .varint(host.ips().size());
    host.ips().forEach(out::int32);
    out.varint(host.ip6s().size());
    host.ip6s().forEach(ip -> out.int64(ip.high()).int64(ip.low()));
    return out.toBytes();
  }

  @Override
  public HostRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    boolean withIp6 = bytes.length() == 0 || bytes.at(0) != FORMAT_WITHOUT_IP6;
    in.version(withIp6 ? FORMAT : FORMAT_WITHOUT_IP6, "host record");
    SwitchPort location = new SwitchPort(in.int64(), in.int64());
    long sinceMillis = in.int64();
    int count = in.count(HostRecord.MAX_IPS, Integer.BYTES);
    List<Integer> ips = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ips.add(in.int32());
    }
    int ip6Count = withIp6 ? in.count(HostRecord.MAX_IPS, 2 * Long.BYTES) : 0;
    List<Ip6> ip6s = new ArrayList<>(ip6Count);
    for (int i = 0; i < ip6Count; i++) {
      ip6s.add(new Ip6(in.int64(), in.int64()));
    }
    in.end();
    return new HostRecord(location, ips, ip6s, sinceMillis);
  }
}
