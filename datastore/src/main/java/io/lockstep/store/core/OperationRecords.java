package io.lockstep.store.core;

import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The replies to a session's operations that it may still ask for again, by operation id. Only
 * operations that can change something are recorded. A copy of a read is read again, which is as
 * good, since its caller has no answer yet.
 */
final class OperationRecords {
  /** Memory of a record besides its reply, in bytes. */
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

  /** The client has its answer to every operation with a lower id. Never decreases. */
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

  /** Whether {@code id} is within the span of ids of one session. */
  boolean spans(long id) {
    return id - acknowledgedBelow < Limits.UNACKNOWLEDGED_OPERATIONS;
  }

  /** Under rules 1: whether there is room to record one more reply, to the operation {@code id}. */
  boolean admitsByRulesOne(long id) {
    return spans(id) && replyBytes <= Limits.UNACKNOWLEDGED_BYTES;
  }

  /** The bytes that one more reply may have. */
  long room() {
    long left = room.left(held()) - OVERHEAD_BYTES;
    return replies.size() == 0 ? Math.max(left, ReplyRoom.LEAST_BYTES) : left;
  }

  /** The reply to an operation for which there is no room. */
  Reply refusal() {
    return room.refusal();
  }

  /**
   * Refuses an operation for good, when there is no room to record its refusal. A late copy of it
   * must not be applied after its sender was told that it never would be.
   */
  void refuseUpTo(long id) {
    refusedUpTo = Math.max(refusedUpTo, id);
  }

  /** Operations up to this one that are not recorded are refused. -1 for none; never goes back. */
  long refusedUpTo() {
    return refusedUpTo;
  }

  /** Records a reply, for which there is room. */
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

  /** The session has ended: no record is added or removed any more. */
  void end() {
    if (!ended) {
      ended = true;
      room.end(held());
    }
  }

  /** The ended session and its records are forgotten. */
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

  /**
   * Replies by operation id: a hash table of chains in which an id is its own hash. The ids of a
   * session mostly follow each other, so most chains hold one reply; but the size of the table
   * depends on the number of replies, not on the distance between their ids. All ids are within
   * {@link Limits#UNACKNOWLEDGED_OPERATIONS} (2^16) of each other, and there are at least as many
   * chains as replies: the worst choice of ids makes a chain of 256.
   *
   * <p>The time of a removal depends on the number of ids that it covers, not on the number of
   * replies that stay. So a client that acknowledges a few operations costs a replica little, even
   * while it waits for tens of thousands of others.
   */
  static final class RecordMap {
    private static final int LEAST_CHAINS = 16;

    /**
     * A table does not shrink below this number of chains, however few replies it holds: 0.5 KiB,
     * of the 2 KiB that {@link StateBounds} counts for a session.
     */
    static final int KEPT_CHAINS = 128;

    private @Nullable RecordedReply[] chains = new @Nullable RecordedReply[LEAST_CHAINS];
    private int size;

    /** A reply in its chain. */
    private static final class RecordedReply {
      private final long id;
      private Reply reply;
      private @Nullable RecordedReply next;

      RecordedReply(long id, Reply reply, @Nullable RecordedReply next) {
        this.id = id;
        this.reply = reply;
        this.next = next;
      }
    }

    int size() {
      return size;
    }

    /** The number of chains in memory, empty ones included. */
    int chains() {
      return chains.length;
    }

    @Nullable Reply get(long id) {
      RecordedReply found = find(id);
      return found == null ? null : found.reply;
    }

    /** Puts a reply; it replaces an earlier one to the same operation. */
    void put(long id, Reply reply) {
      RecordedReply found = find(id);
      if (found != null) {
        found.reply = reply;
        return;
      }
      if (size == chains.length) {
        resize(size * 2);
      }
      int chain = chainOf(id);
      chains[chain] = new RecordedReply(id, reply, chains[chain]);
      size++;
    }

    /**
     * Removes all replies to operations with ids from {@code from} to below {@code to}; there are
     * none with lower ids.
     *
     * @param removed takes each reply, in any order
     */
    void removeBelow(long from, long to, Consumer<Reply> removed) {
      if (to - from < chains.length) {
        for (long id = from; id < to; id++) {
          removeOf(chainOf(id), to, removed);
        }
      } else {
        for (int chain = 0; chain < chains.length; chain++) {
          removeOf(chain, to, removed);
        }
      }
      if (chains.length > KEPT_CHAINS && size < chains.length / 8) {
        resize(Math.max(LEAST_CHAINS, Integer.highestOneBit(size + 1) * 2));
      }
    }

    /** Removes the replies to operations with ids below {@code to} from one chain. */
    private void removeOf(int chain, long to, Consumer<Reply> removed) {
      RecordedReply before = null;
      for (RecordedReply one = chains[chain]; one != null; one = one.next) {
        if (one.id >= to) {
          before = one;
          continue;
        }
        removed.accept(one.reply);
        size--;
        if (before == null) {
          chains[chain] = one.next;
        } else {
          before.next = one.next;
        }
      }
    }

    /** The ids of all replies, lowest first. */
    long[] sortedIds() {
      long[] sorted = new long[size];
      int count = 0;
      for (RecordedReply chain : chains) {
        for (RecordedReply one = chain; one != null; one = one.next) {
          sorted[count++] = one.id;
        }
      }
      Arrays.sort(sorted);
      return sorted;
    }

    private int chainOf(long id) {
      return (int) id & (chains.length - 1);
    }

    private @Nullable RecordedReply find(long id) {
      RecordedReply one = chains[chainOf(id)];
      while (one != null && one.id != id) {
        one = one.next;
      }
      return one;
    }

    private void resize(int length) {
      @Nullable RecordedReply[] old = chains;
      chains = new @Nullable RecordedReply[length];
      for (RecordedReply chain : old) {
        RecordedReply one = chain;
        while (one != null) {
          RecordedReply next = one.next;
          int place = chainOf(one.id);
          one.next = chains[place];
          chains[place] = one;
          one = next;
        }
      }
    }
  }
}
