package io.lockstep.store.client.cache;

import io.lockstep.store.StoreClient.SessionState;
import java.util.function.LongSupplier;

/**
 * A table that only this client writes, as long as its term lasts and its session is surely alive.
 * Guarded by the cache's lock, but for {@link #ownership}.
 */
final class OwnedTable {

  /**
   * Names the session and the term under which this client owns the table.
   *
   * @param session the session, 0 where the table is not owned
   */
  record TableOwnership(long session, long term) {
    static final TableOwnership NONE = new TableOwnership(0, 0);
  }

  private final LongSupplier term;
  private TableOwnership held = TableOwnership.NONE;

  OwnedTable(LongSupplier term) {
    this.term = term;
  }

  /**
   * The present ownership of the table. Calls the supplier of the term without holding the lock.
   */
  TableOwnership ownership(SessionState session, long nowNanos) {
    long now = term.getAsLong();
    boolean valid = session.sessionId() != 0 && session.validUntilNanos() - nowNanos > 0;
    return valid && now != 0 ? new TableOwnership(session.sessionId(), now) : TableOwnership.NONE;
  }

  /**
   * Notes the ownership of the table; true if it is new, so that earlier answers must be dropped.
   */
  boolean note(TableOwnership ownership) {
    boolean another = !ownership.equals(held);
    held = ownership;
    return another;
  }

  /** Whether the table was owned at the last {@link #note}. */
  boolean isOwned() {
    return held.session() != 0;
  }
}
