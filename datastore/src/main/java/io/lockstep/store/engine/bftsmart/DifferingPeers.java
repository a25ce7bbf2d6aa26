package io.lockstep.store.engine.bftsmart;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The peers that have recently shown another history than this replica's. If they are more than f,
 * this replica is wrong, because at most f replicas are. Not thread-safe.
 */
final class DifferingPeers {
  private static final long RECENT_MILLIS = 2_000;

  private final int faults;
  private final Map<Integer, Long> seenAtMillis = new TreeMap<>();

  DifferingPeers(int faults) {
    this.faults = faults;
  }

  /** Adds a peer; returns whether it had not been added recently. */
  boolean isNew(int peer, long nowMillis) {
    Long before = seenAtMillis.put(peer, nowMillis);
    return before == null || nowMillis - before > RECENT_MILLIS;
  }

  /**
   * Removes a peer: it has shown this replica's history since, so it has been corrected, or its
   * process may be a new one.
   */
  void forget(int peer) {
    seenAtMillis.remove(peer);
  }

  /** Whether so many peers differ that this replica must halt. */
  boolean decisive(long nowMillis) {
    seenAtMillis.values().removeIf(at -> nowMillis - at > RECENT_MILLIS);
    return seenAtMillis.size() > faults;
  }

  Set<Integer> peers() {
    return Set.copyOf(seenAtMillis.keySet());
  }
}
