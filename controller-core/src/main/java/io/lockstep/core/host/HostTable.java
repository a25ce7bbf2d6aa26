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

  /** It has no state. */
  static final HostTable CODEC = new HostTable();

  static final String HOSTS = "net.hosts";
  static final String MOVES = "net.host-moves";

  private static final int FORMAT = 3;

  /** Records did not say which addresses the host claims; they are still read. */
  private static final int FORMAT_WITHOUT_CLAIMS = 2;

  /** Records had no IPv6 addresses either; they are still read. */
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
    Ip6 shownIp6 = host.shownIp6();
    out.int32(host.shownIp()).flag(shownIp6 != null);
    if (shownIp6 != null) {
      out.int64(shownIp6.high()).int64(shownIp6.low());
    }
    return out.toBytes();
  }

  @Override
  public HostRecord decodeValue(Bytes bytes) {
    ByteReader in = new ByteReader(bytes);
    int format = bytes.length() == 0 ? FORMAT : bytes.at(0);
    boolean old = format == FORMAT_WITHOUT_IP6 || format == FORMAT_WITHOUT_CLAIMS;
    in.version(old ? format : FORMAT, "host record");
    SwitchPort location = new SwitchPort(in.int64(), in.int64());
    long sinceMillis = in.int64();
    int count = in.count(HostRecord.MAX_IPS, Integer.BYTES);
    List<Integer> ips = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ips.add(in.int32());
    }
    int ip6Count = format == FORMAT_WITHOUT_IP6 ? 0 : in.count(HostRecord.MAX_IPS, 2 * Long.BYTES);
    List<Ip6> ip6s = new ArrayList<>(ip6Count);
    for (int i = 0; i < ip6Count; i++) {
      ip6s.add(new Ip6(in.int64(), in.int64()));
    }
    int shownIp = old ? 0 : in.int32();
    Ip6 shownIp6 = !old && in.flag() ? new Ip6(in.int64(), in.int64()) : null;
    in.end();
    return old
        ? claimed(location, ips, ip6s, sinceMillis)
        : new HostRecord(location, ips, ip6s, shownIp, shownIp6, sinceMillis);
  }

  /**
   * The record of an old format. The source of an IP header was kept only where no other address
   * was known, so a single address may be one; the host claims it again with its next ARP.
   */
  private static HostRecord claimed(
      SwitchPort location, List<Integer> ips, List<Ip6> ip6s, long sinceMillis) {
    return new HostRecord(
        location,
        ips.size() > 1 ? ips : List.of(),
        ip6s.size() > 1 ? ip6s : List.of(),
        ips.size() == 1 ? ips.get(0) : 0,
        ip6s.size() == 1 ? ip6s.get(0) : null,
        sinceMillis);
  }
}
