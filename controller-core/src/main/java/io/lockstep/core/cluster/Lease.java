package io.lockstep.core.cluster;

import io.lockstep.store.StoreClient;
import java.util.function.LongSupplier;

/**
 * This node's lease: what it does under a session is allowed only while the replicas surely hold
 * the session open, by the local clock. Asked for every packet. Thread-safe.
 */
public final class Lease {
  private final StoreClient store;
  private final LongSupplier nanoClock;

  /**
   * The lease of a client's session.
   *
   * @param nanoClock the clock of the client
   */
  public Lease(StoreClient store, LongSupplier nanoClock) {
    this.store = store;
    this.nanoClock = nanoClock;
  }

  /** Whether the session is this client's and surely open now. */
  public boolean holds(long sessionId) {
    StoreClient.SessionState session = store.session();
    return sessionId != 0
        && session.sessionId() == sessionId
        && nanoClock.getAsLong() - session.validUntilNanos() < 0;
  }

  /** For how long the client's session is surely open; negative where it is not. */
  long leftNanos() {
    return store.session().validUntilNanos() - nanoClock.getAsLong();
  }
}
