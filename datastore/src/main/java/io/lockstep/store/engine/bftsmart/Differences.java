package io.lockstep.store.engine.bftsmart;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Which peers have lately shown a history other than ours. With more than f of them it is ours that
 * is wrong, since at most f replicas are. Not thread-safe.
 */
final class Differences {
  private static final long RECENT_MILLIS = 2_000;

  private final int faults;
  private final Map<Integer, Long> seenAtMillis = new TreeMap<>();

  Differences(int faults) {
    this.faults = faults;
  }

  /** Notes one; returns whether that peer has not been noted lately. */
  boolean isNew(int peer, long nowMillis) {
    Long before = seenAtMillis.put(peer, nowMillis);
    return before == null || nowMillis - before > RECENT_MILLIS;
  }

  /**
   * It has shown our history since, so it was the wrong one and has been brought back, or its
   * process may be another one now.
   */
  void forget(int peer) {
    seenAtMillis.remove(peer);
  }

  /** Whether this replica is the one that must halt. */
  boolean decisive(long nowMillis) {
    seenAtMillis.values().removeIf(at -> nowMillis - at > RECENT_MILLIS);
    return seenAtMillis.size() > faults;
  }

  Set<Integer> peers() {
    return Set.copyOf(seenAtMillis.keySet());
  }
}
