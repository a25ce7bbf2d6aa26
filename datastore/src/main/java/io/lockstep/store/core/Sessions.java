package io.lockstep.store.core;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The open sessions, and the recently ended ones. An operation that was applied before its session
 * ended still gets its recorded reply, so the reply "session ended" promises that an operation was
 * not applied. For a session that was forgotten the store can no longer give that promise.
 */
final class Sessions {
  /** How long the records of an ended session are kept, unless too many others end after it. */
  static final long REMEMBERED_MILLIS = 60_000;

  /** The number of ended sessions that are kept. */
  static final int REMEMBERED = 64;

  private final RecordRoom recordRoom = new RecordRoom();
  private final TreeMap<Long, Session> open = new TreeMap<>();
  private final ArrayDeque<Session> ended = new ArrayDeque<>();

  // Used for lookups only, never iterated, so their order does not matter.
  private final Map<Long, Session> endedById = new HashMap<>();
  private final Map<Long, Session> byNonce = new HashMap<>();

  /** A lower bound of the deadlines of all open sessions. */
  private long earliestDeadlineMillis = Long.MAX_VALUE;

  /** The room for the recorded replies of all sessions. */
  RecordRoom recordRoom() {
    return recordRoom;
  }

  @Nullable Session findOpen(long id) {
    return open.get(id);
  }

  @Nullable Session findEnded(long id) {
    return endedById.get(id);
  }

  @Nullable Session findByNonce(long nonce) {
    return byNonce.get(nonce);
  }

  int openCount() {
    return open.size();
  }

  /** The open sessions by id. */
  Collection<Session> allOpen() {
    return open.values();
  }

  /** The remembered ended sessions, in the order in which they ended. */
  Collection<Session> allEnded() {
    return ended;
  }

  void addOpen(Session session) {
    open.put(session.id(), session);
    byNonce.put(session.nonce(), session);
    earliestDeadlineMillis = Math.min(earliestDeadlineMillis, session.deadlineMillis());
  }

  /** Adds an ended session from a snapshot. */
  void addEnded(Session session) {
    session.records().end();
    ended.add(session);
    endedById.put(session.id(), session);
    byNonce.put(session.nonce(), session);
  }

  void end(Session session, long nowMillis) {
    open.remove(session.id());
    session.end(nowMillis);
    addEnded(session);
  }

  /** The open sessions whose time to live is over, by id. */
  List<Session> expired(long nowMillis) {
    List<Session> over = new ArrayList<>();
    if (nowMillis <= earliestDeadlineMillis) {
      return over;
    }
    earliestDeadlineMillis = Long.MAX_VALUE;
    for (Session session : open.values()) {
      if (nowMillis > session.deadlineMillis()) {
        over.add(session);
      }
      earliestDeadlineMillis = Math.min(earliestDeadlineMillis, session.deadlineMillis());
    }
    return over;
  }

  /** Forgets the sessions that ended long ago. */
  void forget(long nowMillis) {
    while (!ended.isEmpty()) {
      Session oldest = ended.getFirst();
      if (ended.size() <= REMEMBERED && nowMillis - oldest.endedAtMillis() <= REMEMBERED_MILLIS) {
        return;
      }
      forgetOldest();
    }
  }

  /** Forgets ended sessions, the oldest first, until the records of the open ones fit. */
  void giveWay() {
    while (recordRoom.overfull()) {
      forgetOldest();
    }
  }

  private void forgetOldest() {
    Session oldest = ended.removeFirst();
    oldest.records().forget();
    endedById.remove(oldest.id());
    byNonce.remove(oldest.nonce(), oldest);
  }
}
