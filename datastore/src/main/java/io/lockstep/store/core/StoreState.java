package io.lockstep.store.core;

import io.lockstep.store.Bytes;
import io.lockstep.store.Entry;
import io.lockstep.store.Release;
import io.lockstep.store.Reply;
import io.lockstep.store.TableSpec;
import io.lockstep.store.engine.Rules;

/** The state of a replica: rules in force, index, time, tables and sessions. */
final class StoreState {
  /** The table that shows the open sessions. */
  static final String SESSION_TABLE = "sys.sessions";

  private final OrderedClock clock = new OrderedClock();
  private final Sessions sessions = new Sessions();
  private final Tables tables;
  private Rules rules = Rules.FIRST;
  private StateBounds inForce = StateBounds.NONE;
  private long index;

  StoreState(HistoryBounds bounds) {
    tables = new Tables(bounds);
    tables.restore(Catalogue.TABLE, TableSpec.values(), 0);
    tables.restore(SESSION_TABLE, TableSpec.values(), 0);
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

  /** The rules in force. */
  Rules rules() {
    return rules;
  }

  /**
   * The version of the cluster that the operator permits; 0 where the entry is missing or is no
   * version. Every client may write it: it only permits what all replicas know.
   */
  int permitted() {
    Table table = tables.find(Release.TABLE);
    Entry entry = table == null ? null : table.entry(Release.PERMITTED);
    if (entry == null || !Counters.isCounter(entry)) {
      return 0;
    }
    long version = Counters.valueOf(entry);
    return version < 1 || version > Integer.MAX_VALUE ? 0 : (int) version;
  }

  /** Adopts rules, which this program knows and which are no older than the present ones. */
  void adopt(Rules adopted) {
    rules = adopted;
    StateBounds bounds = StateBounds.of(adopted);
    inForce = bounds;
    tables.bounds(bounds);
    sessions.recordRoom().bounds(bounds);
    sessions.giveWay();
  }

  /** The memory bounds under the rules in force. */
  StateBounds bounds() {
    return inForce;
  }

  /** The number of operations that were carried out: the index of the last. */
  long index() {
    return index;
  }

  /** The index of the present operation. */
  long nextIndex() {
    return ++index;
  }

  void restoreIndex(long restored) {
    index = restored;
  }

  /** Opens a session by the operation {@code at}. */
  Reply openSession(long at, long nonce, String owner, int timeToLiveMillis) {
    if (sessions.openCount() == Limits.SESSIONS) {
      return new Reply.Rejected(
          Reply.Reason.OUT_OF_BOUNDS, "there are " + Limits.SESSIONS + " sessions");
    }
    long id = Session.idOf(at, nonce);
    Session session = new Session(id, nonce, owner, timeToLiveMillis, sessions.recordRoom());
    session.signOfLife(clock.nowMillis());
    sessions.addOpen(session);
    tables.system(SESSION_TABLE).write(Counters.bytesOf(id), Bytes.utf8(owner), at);
    return new Reply.SessionOpened(id);
  }

  /** Ends a session: its owner closed it, another client did, or its time to live is over. */
  void endSession(Session session, long at) {
    sessions.end(session, clock.nowMillis());
    Table table = tables.system(SESSION_TABLE);
    Bytes key = Counters.bytesOf(session.id());
    if (table.entry(key) == null) {
      throw new IllegalStateException("open session " + session.id() + " has no entry");
    }
    table.erase(key, at);
  }

  /** Ends the sessions whose time to live is over, each by an operation of its own. */
  void expireSessions() {
    for (Session session : sessions.expired(clock.nowMillis())) {
      endSession(session, nextIndex());
    }
    sessions.forget(clock.nowMillis());
  }
}
