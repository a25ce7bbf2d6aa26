package io.lockstep.apps.loadbalancer;

import io.lockstep.apps.loadbalancer.state.BalancerTables;
import io.lockstep.apps.loadbalancer.state.Member;
import io.lockstep.apps.loadbalancer.state.Pool;
import io.lockstep.apps.loadbalancer.state.ServiceAddress;
import io.lockstep.apps.loadbalancer.state.VirtualIp;
import io.lockstep.core.app.KnownHost;
import io.lockstep.core.app.TablePicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.onlab.packet.Ip4Address;

/**
 * The configuration as a node knows it, with the health of members. Immutable; a look-up is a hash
 * probe. Entries that cannot be read, such as those of a newer release, are left out.
 */
final class ServicePicture {
  /** What the node keeps for the application. */
  static final TablePicture<ServicePicture> PICTURE =
      new TablePicture<>(
          List.of(
              BalancerTables.VIPS,
              BalancerTables.POOLS,
              BalancerTables.MEMBERS,
              BalancerTables.HEALTH),
          ServicePicture::new);

  private final Map<ServiceAddress, VirtualIp> services = new HashMap<>();

  /** By IP, one of its virtual IPs: they have the same VLAN and prefix. */
  private final Map<Integer, VirtualIp> addresses = new HashMap<>();

  private final Map<String, Pool> pools = new HashMap<>();
  private final Map<String, Member> members = new TreeMap<>();
  private final Map<Integer, List<Member>> membersByIp = new HashMap<>();

  /** Where members listen, with the protocols of the virtual IPs that they stand behind. */
  private final Set<ServiceAddress> memberServices = new HashSet<>();

  private final Map<String, VirtualIp> vipOfPool = new HashMap<>();
  private final Set<String> down = new HashSet<>();

  private ServicePicture(Map<String, List<Entry>> tables) {
    for (Entry entry : tables.getOrDefault(BalancerTables.VIPS, List.of())) {
      VirtualIp vip = read(entry, VirtualIp::of);
      if (vip != null) {
        services.put(vip.service(), vip);
        addresses.putIfAbsent(vip.service().ip(), vip);
        vipOfPool.putIfAbsent(vip.pool(), vip);
      }
    }
    for (Entry entry : tables.getOrDefault(BalancerTables.POOLS, List.of())) {
      Pool pool = read(entry, Pool::of);
      if (pool != null) {
        pools.put(pool.name(), pool);
      }
    }
    for (Entry entry : tables.getOrDefault(BalancerTables.MEMBERS, List.of())) {
      Member member = read(entry, Member::of);
      if (member != null) {
        members.put(member.name(), member);
        membersByIp.computeIfAbsent(member.ip(), ip -> new ArrayList<>()).add(member);
      }
    }
    for (VirtualIp vip : services.values()) {
      for (Member member : members.values()) {
        if (member.pool().equals(vip.pool())) {
          memberServices.add(
              new ServiceAddress(vip.service().protocol(), member.ip(), member.port()));
        }
      }
    }
    tables
        .getOrDefault(BalancerTables.HEALTH, List.of())
        .forEach(entry -> down.add(entry.key().toUtf8()));
  }

  private interface Reader<T> {
    T read(String name, Bytes value);
  }

  private static <T> @Nullable T read(Entry entry, Reader<T> reader) {
    try {
      return reader.read(entry.key().toUtf8(), entry.value());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** Whether there is nothing to balance. */
  boolean isEmpty() {
    return services.isEmpty();
  }

  @Nullable VirtualIp service(ServiceAddress address) {
    return services.get(address);
  }

  /** One of the virtual IPs with this address, or null. */
  @Nullable VirtualIp at(int ip) {
    return addresses.get(ip);
  }

  /** Whether an IP of a VLAN, 0 for none, is a virtual IP. */
  boolean owns(int ip, int vlan) {
    VirtualIp vip = addresses.get(ip);
    return vip != null && vip.vlan() == vlan;
  }

  /** Whether a frame may not come from this address: it is that of a virtual IP. */
  boolean isVirtual(long mac) {
    return VirtualMac.is(mac) && addresses.containsKey(VirtualMac.ip(mac));
  }

  /** Whether packets from here may belong to a connection. */
  boolean isMemberService(ServiceAddress address) {
    return memberServices.contains(address);
  }

  /** The services of all members that a host is. */
  List<ServiceAddress> servicesOf(KnownHost host) {
    List<ServiceAddress> found = new ArrayList<>(2);
    for (Ip4Address ip : host.ips()) {
      for (Member member : membersByIp.getOrDefault(ip.toInt(), List.of())) {
        VirtualIp vip = vipOfPool.get(member.pool());
        if (vip != null && vip.vlan() == Math.max(host.vlanId(), 0)) {
          found.add(new ServiceAddress(vip.service().protocol(), member.ip(), member.port()));
        }
      }
    }
    return found;
  }

  /** The members with an IP. */
  List<Member> membersAt(int ip) {
    return membersByIp.getOrDefault(ip, List.of());
  }

  Collection<Member> members() {
    return members.values();
  }

  @Nullable Member member(String name) {
    return members.get(name);
  }

  @Nullable Pool pool(String name) {
    return pools.get(name);
  }

  /** A virtual IP that the members of a pool stand behind, or null. */
  @Nullable VirtualIp vipOf(Member member) {
    return vipOfPool.get(member.pool());
  }

  boolean isDown(String member) {
    return down.contains(member);
  }

  /** Whether both have the same virtual IPs, pools and members; health does not count. */
  boolean hasSameMembersAs(ServicePicture other) {
    return services.equals(other.services)
        && pools.equals(other.pools)
        && members.equals(other.members);
  }

  /**
   * The members of this picture whose connections must not go on as they are: in the other picture
   * they are removed, elsewhere, disabled or newly down.
   */
  List<Member> lostIn(ServicePicture now) {
    List<Member> lost = new ArrayList<>();
    for (Member member : members.values()) {
      Member next = now.members.get(member.name());
      if (next == null
          || next.ip() != member.ip()
          || next.port() != member.port()
          || next.state() == Member.State.DISABLED
          || (now.isDown(member.name()) && !isDown(member.name()))) {
        lost.add(member);
      }
    }
    return lost;
  }
}
