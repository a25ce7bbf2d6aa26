package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;

/** Carries messages between replicas in place of the library's own sockets. Thread-safe. */
public interface ReplicaTransport {

  /**
   * Sends without blocking. Drops a message to a replica that it cannot reach. Delivers a message
   * to this replica directly to its inbox.
   */
  void send(int[] targets, SystemMessage message);

  /** Closes every link. */
  void close();
}
