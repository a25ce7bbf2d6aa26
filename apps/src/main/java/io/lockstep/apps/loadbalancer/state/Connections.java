package io.lockstep.apps.loadbalancer.state;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records of connections, with all that belongs to them: counts and translations change with
 * them. Functions over a transaction.
 */
final class Connections {
  /** A record is written again when it was seen so long ago, as a share of its idle time. */
  private static final int REFRESH_SHARE = 6;

  private Connections() {}

  static @Nullable ConnectionRecord get(Transaction transaction, Bytes key) {
    Entry entry = transaction.get(BalancerTables.CONNECTIONS, key);
    return entry == null ? null : ConnectionRecord.of(entry.value());
  }

  static void remove(Transaction transaction, Bytes key, ConnectionRecord record) {
    transaction.remove(BalancerTables.CONNECTIONS, key);
    ConnectionCounts.remove(transaction, key, record.ingress());
    if (record.sourcePort() != 0) {
      transaction.remove(
          BalancerTables.TRANSLATIONS, SourceTranslation.of(ConnectionKey.of(key), record).bytes());
    }
  }

  /** Notes that a packet came up, where the note before is old. */
  static void seen(Transaction transaction, Bytes key, ConnectionRecord record, int idleSeconds) {
    long now = BalancerTables.nowSeconds(transaction);
    if (record.silentSeconds(now) * REFRESH_SHARE >= idleSeconds) {
      transaction.put(BalancerTables.CONNECTIONS, key, record.seen(now).bytes());
    }
  }

  static boolean isExpired(Transaction transaction, ConnectionRecord record, int idleSeconds) {
    return record.silentSeconds(BalancerTables.nowSeconds(transaction)) >= idleSeconds;
  }

  /** Whether the member is still there and keeps connections. */
  static boolean keeps(Transaction transaction, String pool, ConnectionRecord record) {
    Member member = member(transaction, record);
    return member != null
        && member.isAt(record.ip(), record.port())
        && member.pool().equals(pool)
        && member.state() != Member.State.DISABLED;
  }

  /** Whether the member keeps connections and takes none. */
  static boolean isDrained(Transaction transaction, ConnectionRecord record) {
    Member member = member(transaction, record);
    return member != null && member.state() == Member.State.DRAIN;
  }

  private static @Nullable Member member(Transaction transaction, ConnectionRecord record) {
    Entry entry = transaction.get(BalancerTables.MEMBERS, ConfigNames.key(record.member()));
    return entry == null ? null : Member.of(record.member(), entry.value());
  }

  /**
   * The records of a client port whose member talks to the client itself from this address, over
   * all virtual IPs: there are 1024 at most.
   *
   * @param prefix client's IP, port and protocol: {@link ConnectionKey#PREFIX_BYTES}
   */
  static List<Entry> between(Transaction transaction, Bytes prefix, int ip, int port) {
    List<Entry> found = new ArrayList<>();
    for (Entry entry :
        transaction.scan(BalancerTables.CONNECTIONS, prefix, after(prefix), VirtualIp.MOST)) {
      ConnectionRecord record = ConnectionRecord.of(entry.value());
      if (record.ip() == ip && record.port() == port && record.sourcePort() == 0) {
        found.add(entry);
      }
    }
    return found;
  }

  /**
   * Whether a client port has no record at all, by no virtual IP.
   *
   * @param prefix as of {@link #between}
   */
  static boolean isFirst(Transaction transaction, Bytes prefix) {
    return transaction.scan(BalancerTables.CONNECTIONS, prefix, after(prefix), 1).isEmpty();
  }

  /** The end of the keys that begin so: the protocol, which is last, is never 255. */
  private static Bytes after(Bytes prefix) {
    byte[] next = prefix.toArray();
    next[next.length - 1]++;
    return Bytes.wrap(next);
  }

  /**
   * Whether packets of it may still pass. A packet of an active connection comes up at least each
   * third of its idle time, and is noted where the note is older than a sixth.
   */
  static boolean isActive(Transaction transaction, Bytes key, ConnectionRecord record) {
    VirtualIp vip = virtualIp(transaction, ConnectionKey.serviceOf(key));
    return vip != null
        && keeps(transaction, vip.pool(), record)
        && 2 * record.silentSeconds(BalancerTables.nowSeconds(transaction)) < vip.idleSeconds();
  }

  /** The virtual IP that stands for a service; null where there is none. */
  static @Nullable VirtualIp virtualIp(Transaction transaction, Bytes service) {
    Entry name = transaction.get(BalancerTables.SERVICES, service);
    Entry entry = name == null ? null : transaction.get(BalancerTables.VIPS, name.value());
    return entry == null ? null : VirtualIp.of(ConfigNames.of(entry.key()), entry.value());
  }
}
