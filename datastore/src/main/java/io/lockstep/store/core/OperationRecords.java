package io.lockstep.store.core;

import io.lockstep.store.Reply;
import org.jspecify.annotations.Nullable;

/**
 * The replies to a session's operations that it may still ask for again, by operation id. Only
 * operations that can change something are recorded; a read that is asked for again is read again,
 * which is as good, since its caller has no answer yet.
 */
final class OperationRecords {
  /** What holds a reply in memory, in bytes. */
  private static final int OVERHEAD_BYTES = 64;

  private final RecordRoom room;
  private final RecordMap replies = new RecordMap();
  private long acknowledgedBelow;
  private long refusedUpTo = -1;
  private long replyBytes;
  private boolean ended;

  OperationRecords(RecordRoom room) {
    this.room = room;
  }

  /** Every operation with a lower id is answered for good. Never goes back. */
  long acknowledgedBelow() {
    return acknowledgedBelow;
  }

  /** Drops the records of all operations below {@code id}. */
  void acknowledgeBelow(long id) {
    if (id <= acknowledgedBelow) {
      return;
    }
    replies.removeBelow(acknowledgedBelow, id, this::dropped);
    acknowledgedBelow = id;
  }

  private void dropped(Reply reply) {
    long bytes = ReplySize.of(reply);
    replyBytes -= bytes;
    room.hold(-(OVERHEAD_BYTES + bytes));
  }

  /** The recorded reply, or null where the operation is new (or leaves no record). */
  @Nullable Reply find(long id) {
    return replies.get(id);
  }

  /** Whether {@code id} lies within the span that ids may have. */
  boolean spans(long id) {
    return id - acknowledgedBelow < Limits.UNACKNOWLEDGED_OPERATIONS;
  }

  /** Under rules 1: whether there is room to record one more reply, to the operation {@code id}. */
  boolean admitsByRulesOne(long id) {
    return spans(id) && replyBytes <= Limits.UNACKNOWLEDGED_BYTES;
  }

  /** How long one more reply may be, in bytes. */
  long room() {
    long left = room.left(held()) - OVERHEAD_BYTES;
    return replies.size() == 0 ? Math.max(left, ReplyRoom.LEAST_BYTES) : left;
  }

  /** The reply to an operation that finds no room. */
  Reply refusal() {
    return room.refusal();
  }

  /**
   * An operation was refused and there is no room to record that: it is refused for good, so that a
   * late copy of it is not applied after its sender was told that it never would be.
   */
  void refuseUpTo(long id) {
    refusedUpTo = Math.max(refusedUpTo, id);
  }

  /** Operations up to this one that are not recorded are refused. -1 for none; never goes back. */
  long refusedUpTo() {
    return refusedUpTo;
  }

  /** Records a reply that there is room for. */
  void record(long id, Reply reply) {
    replies.put(id, reply);
    long bytes = ReplySize.of(reply);
    replyBytes += bytes;
    if (ended) {
      room.holdEnded(OVERHEAD_BYTES + bytes);
    } else {
      room.hold(OVERHEAD_BYTES + bytes);
    }
  }

  private long held() {
    return replyBytes + (long) OVERHEAD_BYTES * replies.size();
  }

  /** The session has ended: nothing is added or taken out any more. */
  void end() {
    if (!ended) {
      ended = true;
      room.end(held());
    }
  }

  /** The session that ended is forgotten. */
  void forget() {
    room.forget(held());
  }

  /** How many replies are recorded. */
  int count() {
    return replies.size();
  }

  /** The recorded operations, lowest id first. */
  void forEach(Visitor visitor) {
    for (long id : replies.sortedIds()) {
      Reply reply = replies.get(id);
      if (reply != null) {
        visitor.visit(id, reply);
      }
    }
  }

  /** Takes one record after the other. */
  interface Visitor {
    void visit(long operationId, Reply reply);
  }
}
