package io.lockstep.core.host;

import io.lockstep.core.host.HostIndexes.Counts;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Transaction;
import io.lockstep.store.codec.CodecException;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The records of hosts and their indexes, as one operation of the store sees them; the only code
 * that writes them. After each change they agree: every record has exactly the entries of its place
 * and of its addresses, and the counts are the numbers of both.
 *
 * <p>Runs in every replica: deterministic, and what it does for an argument never changes. That
 * includes {@link HostRecord#with}.
 */
final class HostEntities implements HostChange.Visitor<HostOutcome> {
  /** Hosts at one port at most. */
  static final int MAX_HOSTS_AT_PORT = 1_024;

  /** Hosts at all ports of one switch at most. */
  static final int MAX_HOSTS_AT_SWITCH = 8_192;

  /** IP addresses of all hosts at one port at most. */
  static final int MAX_ADDRESSES_AT_PORT = 4_096;

  /** IP addresses of all hosts at one switch at most. */
  static final int MAX_ADDRESSES_AT_SWITCH = 16_384;

  private final Transaction transaction;
  private final long nowMillis;

  /** For one operation. */
  HostEntities(Transaction transaction) {
    this.transaction = transaction;
    this.nowMillis = transaction.timeMillis();
  }

  /** Carries out a change. */
  HostOutcome apply(HostChange change) {
    return change.accept(this);
  }

  @Override
  public HostOutcome see(HostChange.See see) {
    HostSighting sighting = see.sighting();
    Bytes key = HostEntityTable.CODEC.encodeKey(sighting.host());
    HostEntity known = read(key);
    if (known == null) {
      return create(key, sighting);
    }
    return known.place().equals(sighting.place()) ? merge(key, known, sighting) : HostOutcome.STALE;
  }

  @Override
  public HostOutcome move(HostChange.Move move) {
    HostSighting sighting = move.sighting();
    SwitchPort place = sighting.place();
    Bytes key = HostEntityTable.CODEC.encodeKey(sighting.host());
    Entry claim = transaction.get(HostTable.MOVES, key);
    HostEntity known = read(key);
    if (move.claimVersion() != 0) {
      if (claim == null || claim.version() != move.claimVersion()) {
        return HostOutcome.STALE;
      }
    } else if (known != null
        && !known.place().equals(move.from())
        && !known.place().equals(place)) {
      return HostOutcome.STALE;
    }
    if (claim != null) {
      transaction.remove(HostTable.MOVES, key);
    }
    if (known == null) {
      return create(key, sighting);
    }
    if (known.place().equals(place)) {
      return merge(key, known, sighting);
    }
    HostEntity moved = known.movedTo(place, nowMillis);
    HostEntity now = moved.seen(moved.host().with(sighting), nowMillis);
    if (!hasRoom(known, now)) {
      replace(key, known, null);
      return HostOutcome.FULL;
    }
    replace(key, known, now);
    return HostOutcome.DONE;
  }

  @Override
  public HostOutcome expire(HostChange.Expire expire) {
    for (HostKey host : expire.gone()) {
      Bytes key = HostEntityTable.CODEC.encodeKey(host);
      HostEntity known = read(key);
      if (known != null && !known.place().equals(expire.place())) {
        continue;
      }
      if (known != null) {
        replace(key, known, null);
      }
      transaction.remove(HostTable.MOVES, key);
    }
    return HostOutcome.DONE;
  }

  @Override
  public HostOutcome adopt(HostChange.Adopt adopt) {
    HostOutcome outcome = HostOutcome.DONE;
    for (HostKey host : adopt.known()) {
      Bytes key = HostEntityTable.CODEC.encodeKey(host);
      Entry old = transaction.get(HostTable.HOSTS, key);
      if (old == null) {
        continue;
      }
      transaction.remove(HostTable.HOSTS, key);
      HostRecord record = readable(old);
      if (record == null || read(key) != null) {
        continue;
      }
      HostEntity now = new HostEntity(record, record.sinceMillis(), nowMillis, List.of());
      if (hasRoom(null, now)) {
        replace(key, null, now);
      } else {
        outcome = HostOutcome.FULL;
      }
    }
    return outcome;
  }

  /** A record of an earlier release; null where these bytes are none. */
  private static @Nullable HostRecord readable(Entry old) {
    try {
      return HostTable.CODEC.decodeValue(old.value());
    } catch (CodecException unreadable) {
      return null;
    }
  }

  private @Nullable HostEntity read(Bytes key) {
    Entry entry = transaction.get(HostEntityTable.NAME, key);
    return entry == null ? null : HostEntityTable.CODEC.decodeValue(entry.value());
  }

  /** Records a host that is new, without its address where there is room for the host alone. */
  private HostOutcome create(Bytes key, HostSighting sighting) {
    HostEntity bare = HostEntity.at(sighting.place(), nowMillis);
    HostEntity whole = bare.seen(bare.host().with(sighting), nowMillis);
    HostEntity now = hasRoom(null, whole) ? whole : bare;
    if (!hasRoom(null, now)) {
      return HostOutcome.FULL;
    }
    replace(key, null, now);
    return HostOutcome.DONE;
  }

  private HostOutcome merge(Bytes key, HostEntity known, HostSighting sighting) {
    HostEntity now = known.seen(known.host().with(sighting), nowMillis);
    if (!hasRoom(known, now)) {
      return HostOutcome.FULL;
    }
    replace(key, known, now);
    return HostOutcome.DONE;
  }

  /** Whether the new place has room for what is added there. */
  private boolean hasRoom(@Nullable HostEntity old, HostEntity now) {
    SwitchPort place = now.place();
    int addresses = HostIndexes.addresses(now.host()).size();
    int before = old == null ? 0 : HostIndexes.addresses(old.host()).size();
    boolean samePort = old != null && old.place().equals(place);
    boolean sameSwitch = old != null && old.place().dpid() == place.dpid();
    Counts port =
        counts(HostIndexes.port(place))
            .plus(samePort ? 0 : 1, samePort ? addresses - before : addresses);
    Counts whole =
        counts(HostIndexes.ofSwitch(place.dpid()))
            .plus(sameSwitch ? 0 : 1, sameSwitch ? addresses - before : addresses);
    boolean moreHosts = !samePort;
    boolean moreAddresses = !samePort || addresses > before;
    return (!moreHosts
            || (port.hosts() <= MAX_HOSTS_AT_PORT && whole.hosts() <= MAX_HOSTS_AT_SWITCH))
        && (!moreAddresses
            || (port.addresses() <= MAX_ADDRESSES_AT_PORT
                && whole.addresses() <= MAX_ADDRESSES_AT_SWITCH));
  }

  /** Writes a record and exactly its index entries and counts, in the place of an old one. */
  private void replace(Bytes key, @Nullable HostEntity old, @Nullable HostEntity now) {
    Set<Bytes> before = old == null ? Set.of() : HostIndexes.addresses(old.host());
    Set<Bytes> after = now == null ? Set.of() : HostIndexes.addresses(now.host());
    for (Bytes address : before) {
      if (!after.contains(address)) {
        transaction.remove(HostIndexes.BY_IP, HostIndexes.key(address, key));
      }
    }
    for (Bytes address : after) {
      if (!before.contains(address)) {
        transaction.put(HostIndexes.BY_IP, HostIndexes.key(address, key), key);
      }
    }
    SwitchPort from = old == null ? null : old.place();
    SwitchPort to = now == null ? null : now.place();
    if (from != null && from.equals(to)) {
      charge(from, 0, after.size() - before.size());
    } else {
      if (from != null) {
        transaction.remove(HostIndexes.BY_PORT, HostIndexes.key(HostIndexes.port(from), key));
        charge(from, -1, -before.size());
      }
      if (to != null) {
        transaction.put(HostIndexes.BY_PORT, HostIndexes.key(HostIndexes.port(to), key), key);
        charge(to, 1, after.size());
      }
    }
    if (now == null) {
      transaction.remove(HostEntityTable.NAME, key);
    } else {
      transaction.put(HostEntityTable.NAME, key, HostEntityTable.CODEC.encodeValue(now));
    }
  }

  private void charge(SwitchPort place, int hosts, int addresses) {
    if (hosts != 0 || addresses != 0) {
      charge(HostIndexes.port(place), hosts, addresses);
      charge(HostIndexes.ofSwitch(place.dpid()), hosts, addresses);
    }
  }

  private void charge(Bytes key, int hosts, int addresses) {
    Counts now = counts(key).plus(hosts, addresses);
    if (now.equals(Counts.NONE)) {
      transaction.remove(HostIndexes.COUNTS, key);
    } else {
      transaction.put(HostIndexes.COUNTS, key, now.encode());
    }
  }

  private Counts counts(Bytes key) {
    Entry entry = transaction.get(HostIndexes.COUNTS, key);
    return entry == null ? Counts.NONE : Counts.decode(entry.value());
  }
}
