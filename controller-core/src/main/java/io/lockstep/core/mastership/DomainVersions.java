package io.lockstep.core.mastership;

import io.lockstep.core.cluster.DomainMap;
import io.lockstep.core.cluster.DomainsTable;
import io.lockstep.core.cluster.StoredDomains;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.MicroComponent.Refusal;
import io.lockstep.store.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The versions of the domains inside a replica, within one call of a micro component.
 *
 * @param current the version in force; version 0 where there is none
 * @param next the version on its way, or null
 */
record DomainVersions(StoredDomains current, @Nullable StoredDomains next) {
  /** Switches with epochs of their own that one version may move, or one hand-over take along. */
  static final int MAX_MOVED = 4_096;

  private static final int SCAN = 1_000;
  private static final DomainsTable DOMAINS = new DomainsTable();
  private static final DelegationTable DELEGATIONS = new DelegationTable();

  /** Reads both versions; refuses where one is of a newer format. */
  static DomainVersions read(Transaction transaction) throws Refusal {
    StoredDomains current = get(transaction, DomainsTable.CURRENT);
    return new DomainVersions(
        current == null ? StoredDomains.none() : current, get(transaction, DomainsTable.NEXT));
  }

  private static @Nullable StoredDomains get(Transaction transaction, String key) throws Refusal {
    Entry entry = transaction.get(DomainsTable.NAME, DOMAINS.encodeKey(key));
    StoredDomains stored = entry == null ? null : DOMAINS.decodeValue(entry.value());
    if (stored != null && !stored.readable()) {
      throw new Refusal(
          "the domains in the store have format " + stored.format() + ", which is newer");
    }
    return stored;
  }

  /** Writes a version. */
  static void put(Transaction transaction, String key, StoredDomains domains) {
    transaction.put(DomainsTable.NAME, DOMAINS.encodeKey(key), DOMAINS.encodeValue(domains));
  }

  /** The number of the version in force; 0 where there is none, -1 where its format is newer. */
  static long currentVersion(Transaction transaction) {
    Entry entry = transaction.get(DomainsTable.NAME, DOMAINS.encodeKey(DomainsTable.CURRENT));
    return entry == null ? 0 : DomainsTable.versionOf(entry.value());
  }

  StoredDomains newest() {
    return next == null ? current : next;
  }

  /**
   * Delegations of switches that have another domain in another map.
   *
   * @param keys in the table of delegations
   * @param epoch the highest of their epochs, 0 where there are none
   */
  record Moved(List<Bytes> keys, long epoch) {}

  /** The delegations that end when {@code map} comes into force. */
  Moved moved(Transaction transaction, DomainMap map) {
    List<Bytes> keys = new ArrayList<>();
    long epoch = 0;
    for (Entry entry : entries(transaction, DelegationTable.NAME)) {
      if (!current.map().agrees(map, DELEGATIONS.decodeKey(entry.key()))) {
        keys.add(entry.key());
        epoch = Math.max(epoch, DELEGATIONS.decodeValue(entry.value()).epoch());
      }
    }
    return new Moved(keys, epoch);
  }

  /** All entries of a table, in key order, however many there are. */
  static List<Entry> entries(Transaction transaction, String table) {
    List<Entry> all = new ArrayList<>();
    Bytes from = Bytes.empty();
    List<Entry> page;
    do {
      page = transaction.scan(table, from, null, SCAN);
      all.addAll(page);
      if (!page.isEmpty()) {
        from = after(page.get(page.size() - 1).key());
      }
    } while (page.size() == SCAN);
    return all;
  }

  /** The least key behind another. */
  private static Bytes after(Bytes key) {
    byte[] octets = key.toArray();
    return Bytes.wrap(Arrays.copyOf(octets, octets.length + 1));
  }
}
