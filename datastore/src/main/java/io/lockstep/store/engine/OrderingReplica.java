package io.lockstep.store.engine;

/** One running replica. Thread-safe. */
public interface OrderingReplica extends AutoCloseable {

  /** What the replica knows of itself and its peers now. */
  ReplicaStatus status();

  /** Stops ordering. A stopped replica cannot be started again in this process. */
  @Override
  void close();
}
