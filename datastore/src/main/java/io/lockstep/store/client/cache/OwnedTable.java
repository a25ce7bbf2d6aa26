package io.lockstep.store.client.cache;

import io.lockstep.store.StoreClient.SessionState;
import java.util.function.LongSupplier;

/**
 * A table that only this client writes, as long as its term lasts and its session is surely alive.
 * Immutable.
 */
record OwnedTable(LongSupplier term) {

  /**
   * Names the session and the term under which this client owns a table, or an entry. What was
   * learned under one is exact under the same one only.
   *
   * @param session the session, 0 where it is not owned
   */
  record TableOwnership(long session, long term) {
    static final TableOwnership NONE = new TableOwnership(0, 0);

    /**
     * The ownership of this moment.
     *
     * @param term 0 where it is not owned
     */
    static TableOwnership of(long term, SessionState session, long nowNanos) {
      boolean valid = session.sessionId() != 0 && session.validUntilNanos() - nowNanos > 0;
      return valid && term != 0 ? new TableOwnership(session.sessionId(), term) : NONE;
    }
  }

  /**
   * The present ownership of the table. Calls the supplier of the term without holding the lock.
   */
  TableOwnership ownership(SessionState session, long nowNanos) {
    return TableOwnership.of(term.getAsLong(), session, nowNanos);
  }
}
