package io.lockstep.store.engine;

import java.util.Map;

/** One running replica. Thread-safe. */
public interface OrderingReplica extends AutoCloseable {

  /** The replica's present view of itself and its peers. */
  ReplicaStatus status();

  /**
   * What this replica did since its process started, by name: the {@code instances} that it applied
   * and their {@code requests}, replayed ones included, the {@code records} that it appended to its
   * log, and the {@code syncs} of that.
   */
  default Map<String, Long> counts() {
    return Map.of();
  }

  /** Stops ordering. A stopped replica cannot be started again in this process. */
  @Override
  void close();
}
