package io.lockstep.core.topology;

import io.lockstep.core.app.KnownHost;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.MacAddress;

/** The hosts of the network at one time. Immutable. */
public final class KnownHosts {
  /** Of a network of which nothing is known. */
  public static final KnownHosts NONE = new KnownHosts(List.of());

  private record Key(MacAddress address, int vlanId) {
    static Key of(MacAddress address, int vlanId) {
      return new Key(address, vlanId > 0 ? vlanId : -1);
    }
  }

  private final Map<Key, KnownHost> hosts;

  /** Hosts, each address in a VLAN once. */
  public KnownHosts(Collection<KnownHost> all) {
    Map<Key, KnownHost> byKey = new HashMap<>();
    all.forEach(host -> byKey.put(Key.of(host.address(), host.vlanId()), host));
    this.hosts = Map.copyOf(byKey);
  }

  @Nullable KnownHost host(MacAddress address, int vlanId) {
    return hosts.get(Key.of(address, vlanId));
  }

  Collection<KnownHost> all() {
    return hosts.values();
  }
}
