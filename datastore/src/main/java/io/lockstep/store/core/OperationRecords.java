package io.lockstep.store.core;

import io.lockstep.store.Reply;
import java.util.Arrays;
import java.util.function.Consumer;
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

  /**
   * Replies by operation id: a hash table of chains in which an id is its own hash. The ids of a
   * session mostly follow each other, so most chains hold one reply; but what the table takes
   * follows from how many replies there are, not from how far their ids lie apart. All ids are
   * within {@link Limits#UNACKNOWLEDGED_OPERATIONS} (2^16) of each other, and there are at least as
   * many chains as replies: the worst choice of ids makes a chain of 256.
   *
   * <p>The time of a removal follows from how many ids it covers, not from how many replies stay.
   * So a client that acknowledges a few operations, while it waits for tens of thousands of others,
   * keeps no replica busy.
   */
  static final class RecordMap {
    private static final int LEAST_CHAINS = 16;

    /**
     * A table of so many chains or fewer is kept, however few replies are left in it: 0.5 KiB, of
     * the 2 KiB that {@link StateBounds} counts for a session.
     */
    static final int KEPT_CHAINS = 128;

    private @Nullable Recorded[] chains = new @Nullable Recorded[LEAST_CHAINS];
    private int size;

    /** A reply in its chain. */
    private static final class Recorded {
      private final long id;
      private Reply reply;
      private @Nullable Recorded next;

      Recorded(long id, Reply reply, @Nullable Recorded next) {
        this.id = id;
        this.reply = reply;
        this.next = next;
      }
    }

    int size() {
      return size;
    }

    /** How many chains there is room for in memory, empty or not. */
    int chains() {
      return chains.length;
    }

    @Nullable Reply get(long id) {
      Recorded found = find(id);
      return found == null ? null : found.reply;
    }

    /** Puts a reply in place, also of another to the same operation. */
    void put(long id, Reply reply) {
      Recorded found = find(id);
      if (found != null) {
        found.reply = reply;
        return;
      }
      if (size == chains.length) {
        resize(size * 2);
      }
      int chain = chainOf(id);
      chains[chain] = new Recorded(id, reply, chains[chain]);
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
      Recorded before = null;
      for (Recorded one = chains[chain]; one != null; one = one.next) {
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
      for (Recorded chain : chains) {
        for (Recorded one = chain; one != null; one = one.next) {
          sorted[count++] = one.id;
        }
      }
      Arrays.sort(sorted);
      return sorted;
    }

    private int chainOf(long id) {
      return (int) id & (chains.length - 1);
    }

    private @Nullable Recorded find(long id) {
      Recorded one = chains[chainOf(id)];
      while (one != null && one.id != id) {
        one = one.next;
      }
      return one;
    }

    private void resize(int length) {
      @Nullable Recorded[] old = chains;
      chains = new @Nullable Recorded[length];
      for (Recorded chain : old) {
        Recorded one = chain;
        while (one != null) {
          Recorded next = one.next;
          int place = chainOf(one.id);
          one.next = chains[place];
          chains[place] = one;
          one = next;
        }
      }
    }
  }
}
