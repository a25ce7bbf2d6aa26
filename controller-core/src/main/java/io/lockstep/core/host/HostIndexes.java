package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.Bytes;
import io.lockstep.store.TableSpec;
import io.lockstep.store.codec.ByteReader;
import io.lockstep.store.codec.ByteWriter;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Cross references to the records of hosts, and how many there are. Each entry of an index belongs
 * to one host, whose key ends it; its value is that key. So all hosts with an address, at a port or
 * at a switch have keys with a common prefix:
 *
 * <ul>
 *   <li>{@code net.hosts-by-ip}: an address ({@link #address}), the host;
 *   <li>{@code net.hosts-by-port}: datapath id (8 bytes), port (8), the host;
 *   <li>{@code net.host-counts}: datapath id and port, or the datapath id alone, to {@link Counts}.
 * </ul>
 *
 * <p>Only {@link HostEntities} writes these tables.
 */
final class HostIndexes {
  static final String BY_IP = "net.hosts-by-ip";
  static final String BY_PORT = "net.hosts-by-port";
  static final String COUNTS = "net.host-counts";

  private static final int IP4 = 4;
  private static final int IP6 = 6;

  private HostIndexes() {}

  /** All tables of hosts but the claimed moves, for every client to declare. */
  static Map<String, TableSpec> tables() {
    return Map.of(
        HostEntityTable.NAME,
        TableSpec.values(),
        BY_IP,
        TableSpec.reference(HostEntityTable.NAME),
        BY_PORT,
        TableSpec.reference(HostEntityTable.NAME),
        COUNTS,
        TableSpec.values());
  }

  /**
   * How many hosts are at a port or a switch. No entry stands for none.
   *
   * @param addresses of all of them together
   */
  record Counts(int hosts, int addresses) {
    static final Counts NONE = new Counts(0, 0);

    Counts plus(int moreHosts, int moreAddresses) {
      return new Counts(hosts + moreHosts, addresses + moreAddresses);
    }

    Bytes encode() {
      return new ByteWriter(8).int32(hosts).int32(addresses).toBytes();
    }

    static Counts decode(Bytes bytes) {
      ByteReader in = new ByteReader(bytes);
      Counts counts = new Counts(in.int32(), in.int32());
      in.end();
      return counts;
    }
  }

  /** An IPv4 address as the begin of a key: its kind (1 byte) and the address. */
  static Bytes address(int ip) {
    return new ByteWriter(5).int8(IP4).int32(ip).toBytes();
  }

  /** The same of an IPv6 address. */
  static Bytes address(Ip6 ip) {
    return new ByteWriter(17).int8(IP6).int64(ip.high()).int64(ip.low()).toBytes();
  }

  /** All addresses by which a host is found: those that it claims and those that it shows. */
  static Set<Bytes> addresses(HostRecord host) {
    Set<Bytes> all = new LinkedHashSet<>();
    host.ips().forEach(ip -> all.add(address(ip)));
    host.ip6s().forEach(ip -> all.add(address(ip)));
    if (host.shownIp() != 0) {
      all.add(address(host.shownIp()));
    }
    Ip6 shown = host.shownIp6();
    if (shown != null) {
      all.add(address(shown));
    }
    return all;
  }

  /** What the keys of a port's hosts begin with; also the key of its counts. */
  static Bytes port(SwitchPort port) {
    return new ByteWriter(16).int64(port.dpid()).int64(port.port()).toBytes();
  }

  /** The same of a switch. */
  static Bytes ofSwitch(long dpid) {
    return new ByteWriter(8).int64(dpid).toBytes();
  }

  /** The key of a host's entry. */
  static Bytes key(Bytes prefix, Bytes host) {
    return new ByteWriter(prefix.length() + host.length())
        .raw(prefix.toArray())
        .raw(host.toArray())
        .toBytes();
  }
}
