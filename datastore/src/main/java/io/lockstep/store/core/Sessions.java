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
 * The open sessions, and for a while those that ended: an operation that was applied before its
 * session ended is still answered with its recorded reply, so that "session ended" stays a promise
 * that it was not applied. Of one that is forgotten it cannot be said any more.
 */
final class Sessions {
  /** An ended session's records are kept for so long, unless too many others end after it. */
  static final long REMEMBERED_MILLIS = 60_000;

  /** So many ended sessions are kept. */
  static final int REMEMBERED = 64;

  private final RecordRoom recordRoom = new RecordRoom();
  private final TreeMap<Long, Session> open = new TreeMap<>();
  private final ArrayDeque<Session> ended = new ArrayDeque<>();

  // Only looked up in, never walked through: their order does not matter.
  private final Map<Long, Session> endedById = new HashMap<>();
  private final Map<Long, Session> byNonce = new HashMap<>();

  /** No open session's deadline is earlier. */
  private long earliestDeadlineMillis = Long.MAX_VALUE;

  /** For the replies that are recorded for all of them. */
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

  /** The ended sessions that are remembered, in the order in which they ended. */
  Collection<Session> allEnded() {
    return ended;
  }

  void addOpen(Session session) {
    open.put(session.id(), session);
    byNonce.put(session.nonce(), session);
    earliestDeadlineMillis = Math.min(earliestDeadlineMillis, session.deadlineMillis());
  }

  /** Puts in place an ended session that was read from a snapshot. */
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

  /** The open sessions whose time is over, by id. */
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

  /**
   * Forgets sessions that ended, the oldest first, until the records of those that are open have
   * their room.
   */
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
