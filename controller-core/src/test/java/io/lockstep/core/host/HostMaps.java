package io.lockstep.core.host;

import io.lockstep.core.link.SwitchPort;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/** What {@link HostEntities} does, on maps that a test can look into and change. */
final class HostMaps implements HostChange.Visitor<HostOutcome> {
  final Map<HostKey, HostRecord> hosts = new ConcurrentHashMap<>();
  final Map<HostKey, HostRecord> moves = new ConcurrentHashMap<>();

  /** Those that only the table of an earlier release has. */
  final Map<HostKey, HostRecord> oldHosts = new ConcurrentHashMap<>();

  /** By which operation each claim in {@link #moves} was written. */
  final Map<HostKey, Long> claimVersions = new HashMap<>();

  private final LongSupplier timeMillis;
  private final BiConsumer<String, HostKey> changed;

  /**
   * Empty maps.
   *
   * @param changed takes the table and the host of each change
   */
  HostMaps(LongSupplier timeMillis, BiConsumer<String, HostKey> changed) {
    this.timeMillis = timeMillis;
    this.changed = changed;
  }

  @Override
  public HostOutcome see(HostChange.See see) {
    HostSighting sighting = see.sighting();
    HostRecord known = hosts.get(sighting.host());
    if (known != null && !known.location().equals(sighting.place())) {
      return HostOutcome.STALE;
    }
    return known == null ? create(sighting) : put(sighting.host(), known.with(sighting));
  }

  private HostOutcome create(HostSighting sighting) {
    return isFull(sighting.place())
        ? HostOutcome.FULL
        : put(
            sighting.host(),
            HostRecord.at(sighting.place(), timeMillis.getAsLong()).with(sighting));
  }

  private boolean isFull(SwitchPort place) {
    return hosts.values().stream().filter(host -> host.location().equals(place)).count()
        >= HostEntities.MAX_HOSTS_AT_PORT;
  }

  private HostOutcome put(HostKey key, HostRecord now) {
    hosts.put(key, now);
    changed.accept(HostEntityTable.NAME, key);
    return HostOutcome.DONE;
  }

  @Override
  public HostOutcome move(HostChange.Move move) {
    HostSighting sighting = move.sighting();
    HostKey key = sighting.host();
    HostRecord known = hosts.get(key);
    boolean elsewhere =
        known != null
            && !known.location().equals(move.from())
            && !known.location().equals(sighting.place());
    if (move.claimVersion() == 0
        ? elsewhere
        : claimVersions.getOrDefault(key, 0L) != move.claimVersion()) {
      return HostOutcome.STALE;
    }
    removeClaim(key);
    if (known == null) {
      return create(sighting);
    }
    if (isFull(sighting.place())) {
      remove(key);
      return HostOutcome.FULL;
    }
    return put(key, known.movedTo(sighting.place(), timeMillis.getAsLong()).with(sighting));
  }

  private void removeClaim(HostKey key) {
    claimVersions.remove(key);
    moves.remove(key);
    changed.accept(HostTable.MOVES, key);
  }

  private void remove(HostKey key) {
    hosts.remove(key);
    changed.accept(HostEntityTable.NAME, key);
  }

  @Override
  public HostOutcome expire(HostChange.Expire expire) {
    for (HostKey key : expire.gone()) {
      HostRecord known = hosts.get(key);
      if (known == null || known.location().equals(expire.place())) {
        remove(key);
        removeClaim(key);
      }
    }
    return HostOutcome.DONE;
  }

  @Override
  public HostOutcome adopt(HostChange.Adopt adopt) {
    for (HostKey key : adopt.known()) {
      HostRecord old = oldHosts.remove(key);
      if (old != null && !hosts.containsKey(key)) {
        put(key, old);
      }
    }
    return HostOutcome.DONE;
  }
}
