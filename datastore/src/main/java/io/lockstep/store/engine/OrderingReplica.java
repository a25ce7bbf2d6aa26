package io.lockstep.store.engine;

/** One running replica. Thread-safe. */
public interface OrderingReplica extends AutoCloseable {

  /** The replica's present view of itself and its peers. */
  ReplicaStatus status();

  /** Stops ordering. A stopped replica cannot be started again in this process. */
  @Override
  void close();
}
