package io.lockstep.core.topology;

import io.lockstep.core.app.KnownHost;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;
import org.onlab.packet.MacAddress;

/** The hosts of the network at one time. Immutable. */
public final class KnownHosts {
  /** Of a network of which nothing is known. */
  public static final KnownHosts NONE = new KnownHosts(List.of());

  private record Key(MacAddress address, int vlanId) {
    static Key of(MacAddress address, int vlanId) {
      return new Key(address, vlan(vlanId));
    }
  }

  private final Map<Key, KnownHost> hosts;
  private final Map<Long, KnownHost> byIp;

  /**
   * Hosts, each address in a VLAN once.
   *
   * @param all of several that claim one IP address, the first counts
   */
  public KnownHosts(Collection<KnownHost> all) {
    Map<Key, KnownHost> byKey = new HashMap<>();
    Map<Long, KnownHost> byAddress = new HashMap<>();
    for (KnownHost host : all) {
      byKey.put(Key.of(host.address(), host.vlanId()), host);
      for (Ip4Address ip : host.ips()) {
        byAddress.putIfAbsent(ipKey(ip.toInt(), host.vlanId()), host);
      }
    }
    this.hosts = Map.copyOf(byKey);
    this.byIp = Map.copyOf(byAddress);
  }

  private static int vlan(int vlanId) {
    return vlanId > 0 ? vlanId : -1;
  }

  private static long ipKey(int ip, int vlanId) {
    return (long) ip << Short.SIZE | (vlan(vlanId) & 0xffff);
  }

  @Nullable KnownHost host(MacAddress address, int vlanId) {
    return hosts.get(Key.of(address, vlanId));
  }

  @Nullable KnownHost hostWith(int ip, int vlanId) {
    return byIp.get(ipKey(ip, vlanId));
  }

  Collection<KnownHost> all() {
    return hosts.values();
  }
}
