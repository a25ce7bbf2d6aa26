package io.lockstep.store.engine.bftsmart.library;

import bftsmart.communication.SystemMessage;

/** Carries messages between replicas in place of the library's own sockets. Thread-safe. */
public interface ReplicaTransport {

  /**
   * Sends without blocking. A message to a replica that cannot be reached is dropped; one to this
   * replica itself goes straight to its inbox.
   */
  void send(int[] targets, SystemMessage message);

  /** Closes every link. */
  void close();
}
