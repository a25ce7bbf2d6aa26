package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What must hold between virtual IPs, pools and members, and the rows that follow from them: {@link
 * BalancerTables#SERVICES} and {@link PoolOrder}. A put throws {@link FieldException} before it
 * writes anything; a removal gives the name of what needs the entry, or an empty text.
 */
final class ConfigRules {
  private ConfigRules() {}

  // ---- virtual IPs ----

  static void put(Transaction transaction, VirtualIp vip) {
    requirePool(transaction, vip.pool());
    long reserved = vip.maxConnections();
    VirtualIp before = null;
    for (VirtualIp other : vips(transaction)) {
      if (other.name().equals(vip.name())) {
        before = other;
        continue;
      }
      reserved += other.maxConnections();
      requireApart(vip, other);
    }
    if (reserved > VirtualIp.MOST_CONNECTIONS) {
      throw new FieldException(
          "maxConnections",
          "all virtual IPs together would have "
              + reserved
              + " connections, over "
              + VirtualIp.MOST_CONNECTIONS
              + "; give less here or elsewhere");
    }
    for (Member member : members(transaction)) {
      if (member.pool().equals(vip.pool())) {
        requireInPrefix(vip, member, "pool");
      }
      requireNotMember(vip, member, "address");
    }
    if (before != null && !before.service().equals(vip.service())) {
      transaction.remove(BalancerTables.SERVICES, before.service().key());
    }
    Bytes key = ConfigNames.key(vip.name());
    transaction.put(BalancerTables.SERVICES, vip.service().key(), key);
    transaction.put(BalancerTables.VIPS, key, vip.bytes());
  }

  private static void requireApart(VirtualIp vip, VirtualIp other) {
    if (other.service().equals(vip.service())) {
      throw new FieldException(
          "address", other.name() + " has " + vip.service() + " already; give another port");
    }
    if (other.service().ip() != vip.service().ip()) {
      if (other.pool().equals(vip.pool()) && other.vlan() != vip.vlan()) {
        throw new FieldException(
            "vlan",
            other.name()
                + " has the same pool in VLAN "
                + other.vlan()
                + ", and members are in one; give that VLAN or another pool");
      }
      return;
    }
    if (other.vlan() != vip.vlan()) {
      throw new FieldException(
          "vlan",
          other.name() + " has this address in VLAN " + other.vlan() + "; give the same VLAN");
    }
    if (other.prefixLength() != vip.prefixLength()) {
      throw new FieldException(
          "prefixLength",
          other.name()
              + " has this address with prefix length "
              + other.prefixLength()
              + "; give the same");
    }
  }

  private static void requireInPrefix(VirtualIp vip, Member member, String field) {
    if (!vip.isInPrefix(member.ip())) {
      throw new FieldException(
          field,
          "member "
              + member.name()
              + " with "
              + Ipv4.text(member.ip())
              + " is not in the subnet of virtual IP "
              + vip.name()
              + ", "
              + Ipv4.text(vip.service().ip())
              + "/"
              + vip.prefixLength());
    }
  }

  private static void requireNotMember(VirtualIp vip, Member member, String field) {
    if (vip.service().ip() == member.ip()) {
      throw new FieldException(
          field,
          Ipv4.text(member.ip())
              + " would be the address of virtual IP "
              + vip.name()
              + " and of member "
              + member.name());
    }
  }

  static String remove(Transaction transaction, VirtualIp vip) {
    transaction.remove(BalancerTables.SERVICES, vip.service().key());
    transaction.remove(BalancerTables.VIPS, ConfigNames.key(vip.name()));
    return "";
  }

  // ---- pools ----

  static void put(Transaction transaction, Pool pool) {
    transaction.put(BalancerTables.POOLS, ConfigNames.key(pool.name()), pool.bytes());
    if (pool.probe() == Pool.Probe.NONE) {
      for (Member member : members(transaction)) {
        if (member.pool().equals(pool.name())) {
          HealthTable.set(transaction, member.name(), false); // no probe would find it up again
        }
      }
    }
    PoolOrder.renew(transaction, pool);
  }

  static String remove(Transaction transaction, Pool pool) {
    for (VirtualIp vip : vips(transaction)) {
      if (vip.pool().equals(pool.name())) {
        return "virtual IP " + vip.name();
      }
    }
    for (Member member : members(transaction)) {
      if (member.pool().equals(pool.name())) {
        return "member " + member.name();
      }
    }
    Bytes key = ConfigNames.key(pool.name());
    transaction.remove(BalancerTables.POOLS, key);
    PoolOrder.remove(transaction, key);
    return "";
  }

  private static Pool requirePool(Transaction transaction, String name) {
    Pool pool = pool(transaction, name);
    if (pool == null) {
      throw new FieldException("pool", "there is no pool " + name + "; add it first");
    }
    return pool;
  }

  private static @Nullable Pool pool(Transaction transaction, String name) {
    Entry entry = transaction.get(BalancerTables.POOLS, ConfigNames.key(name));
    return entry == null ? null : Pool.of(name, entry.value());
  }

  // ---- members ----

  static void put(Transaction transaction, Member member) {
    Pool pool = requirePool(transaction, member.pool());
    Member before = null;
    int inPool = 1;
    for (Member other : members(transaction)) {
      if (other.name().equals(member.name())) {
        before = other;
      } else if (other.pool().equals(member.pool())) {
        inPool++;
        if (other.isAt(member.ip(), member.port())) {
          throw new FieldException(
              "address", "member " + other.name() + " of the same pool has it already");
        }
      }
    }
    if (inPool > Pool.MOST_MEMBERS) {
      throw new FieldException(
          "pool", "it has " + Pool.MOST_MEMBERS + " members already; take another pool");
    }
    for (VirtualIp vip : vips(transaction)) {
      if (vip.pool().equals(member.pool())) {
        requireInPrefix(vip, member, "address");
      }
      requireNotMember(vip, member, "address");
    }
    boolean isElsewhere = before != null && !before.isAt(member.ip(), member.port());
    if (isElsewhere || pool.probe() == Pool.Probe.NONE) {
      HealthTable.set(transaction, member.name(), false); // no probe would find it up again
    }
    transaction.put(BalancerTables.MEMBERS, ConfigNames.key(member.name()), member.bytes());
    PoolOrder.renew(transaction, pool);
    if (before != null && !before.pool().equals(member.pool())) {
      renew(transaction, before.pool());
    }
  }

  static String remove(Transaction transaction, Member member) {
    transaction.remove(BalancerTables.MEMBERS, ConfigNames.key(member.name()));
    HealthTable.set(transaction, member.name(), false);
    renew(transaction, member.pool());
    return "";
  }

  private static void renew(Transaction transaction, String name) {
    Pool pool = pool(transaction, name);
    if (pool != null) {
      PoolOrder.renew(transaction, pool);
    }
  }

  // ---- all ----

  private static List<VirtualIp> vips(Transaction transaction) {
    return BalancerTables.all(transaction, BalancerTables.VIPS, VirtualIp.MOST).stream()
        .map(entry -> VirtualIp.of(ConfigNames.of(entry.key()), entry.value()))
        .toList();
  }

  private static List<Member> members(Transaction transaction) {
    return BalancerTables.all(transaction, BalancerTables.MEMBERS, Member.MOST).stream()
        .map(entry -> Member.of(ConfigNames.of(entry.key()), entry.value()))
        .toList();
  }
}
