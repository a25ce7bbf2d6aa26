package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Reply;

/** All that a replica holds: index, time, tables and sessions. */
final class StoreState {
  /** The table that shows the open sessions. */
  static final String SESSION_TABLE = "sys.sessions";

  private final OrderedClock clock = new OrderedClock();
  private final Sessions sessions = new Sessions();
  private final Tables tables;
  private long index;

  StoreState(HistoryBounds bounds) {
    tables = new Tables(bounds);
  }

  OrderedClock clock() {
    return clock;
  }

  Sessions sessions() {
    return sessions;
  }

  Tables tables() {
    return tables;
  }

  /** The number of operations that were carried out: the index of the last. */
  long index() {
    return index;
  }

  /** The index of the operation that comes now. */
  long nextIndex() {
    return ++index;
  }

  void restoreIndex(long restored) {
    index = restored;
  }

  /** Opens a session whose id is the index of the operation that opens it. */
  Reply openSession(long at, long nonce, String owner, int timeToLiveMillis) {
    if (sessions.openCount() == Limits.SESSIONS) {
      return new Reply.Rejected(
          Reply.Reason.OUT_OF_BOUNDS, "there are " + Limits.SESSIONS + " sessions");
    }
    Table table = tables.forWrite(SESSION_TABLE);
    if (table == null) {
      return tooManyTables();
    }
    Session session = new Session(at, nonce, owner, timeToLiveMillis);
    session.signOfLife(clock.nowMillis());
    sessions.addOpen(session);
    table.put(Counters.bytesOf(at), Bytes.utf8(owner), at);
    return new Reply.SessionOpened(at);
  }

  /** Ends a session: by itself, by a witness, or because its time is over. */
  void endSession(Session session, long at) {
    sessions.end(session, clock.nowMillis());
    Table table = tables.find(SESSION_TABLE);
    Bytes key = Counters.bytesOf(session.id());
    Entry entry = table == null ? null : table.entry(key);
    if (table == null || entry == null) {
      throw new IllegalStateException("open session " + session.id() + " has no entry");
    }
    table.remove(key, at);
  }

  /** Ends the sessions whose time is over, each by an operation of its own. */
  void expireSessions() {
    for (Session session : sessions.expired(clock.nowMillis())) {
      endSession(session, nextIndex());
    }
    sessions.forget(clock.nowMillis());
  }

  static Reply tooManyTables() {
    return new Reply.Rejected(
        Reply.Reason.OUT_OF_BOUNDS, "there are " + Limits.TABLES + " tables already");
  }
}
