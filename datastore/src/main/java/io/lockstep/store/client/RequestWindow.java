package io.lockstep.store.client;

import io.lockstep.store.core.Limits;
import java.util.ArrayDeque;

/**
 * The requests in flight, and the ids of operations. Ids are never used twice, not even in another
 * session. Owned by the loop.
 */
final class RequestWindow {
  /**
   * Once the requests in flight have so many bytes, the client sends no further one; the last one
   * may exceed it. More requests would only wait at the replicas, which read no more than they have
   * room for.
   */
  static final long OUTSTANDING_BYTES = 4 << 20;

  private final ArrayDeque<Sent> inOrder = new ArrayDeque<>();
  private long nextId = 1;
  private int outstanding;
  private long outstandingBytes;

  /** The number of requests in flight. */
  int outstanding() {
    return outstanding;
  }

  /** Whether there is room for the bytes of one more request. */
  boolean admitsRequest() {
    return outstanding == 0
        || outstandingBytes + BatchingStoreClient.MAX_BATCH_BYTES <= OUTSTANDING_BYTES;
  }

  /** Every operation with a lower id has its answer, or the client gave up on it. */
  long acknowledgedBelow() {
    return inOrder.isEmpty() ? nextId : inOrder.getFirst().firstId();
  }

  /** Whether the replicas accept so many operations more beside the unacknowledged ones. */
  boolean admits(int operations) {
    return nextId + operations - acknowledgedBelow() <= Limits.UNACKNOWLEDGED_OPERATIONS;
  }

  /** Assigns the next ids to {@code operations}. Either all of them only read, or none does. */
  Sent send(long sessionId, long nowNanos, PendingOperation[] operations) {
    Sent sent = new Sent(sessionId, nextId, nowNanos, operations);
    nextId += operations.length;
    inOrder.addLast(sent);
    outstanding++;
    outstandingBytes += sent.bytes;
    return sent;
  }

  /** Ends a request that was answered or given up; false if it had ended already. */
  boolean finish(Sent sent) {
    if (sent.finished) {
      return false;
    }
    sent.finished = true;
    outstanding--;
    outstandingBytes -= sent.bytes;
    while (!inOrder.isEmpty() && inOrder.getFirst().finished) {
      inOrder.removeFirst();
    }
    return true;
  }

  /** The requests that are not finished. */
  Iterable<Sent> unfinished() {
    return inOrder.stream().filter(sent -> !sent.finished).toList();
  }

  /** One request. */
  static final class Sent {
    private final long sessionId;
    private final long firstId;
    private final long sentNanos;
    private final PendingOperation[] operations;
    private final long bytes;
    private boolean finished;

    private Sent(long sessionId, long firstId, long sentNanos, PendingOperation[] operations) {
      this.sessionId = sessionId;
      this.firstId = firstId;
      this.sentNanos = sentNanos;
      this.operations = operations;
      long sum = 0;
      for (PendingOperation operation : operations) {
        sum += operation.bytes();
      }
      this.bytes = sum;
    }

    long sessionId() {
      return sessionId;
    }

    long firstId() {
      return firstId;
    }

    long sentNanos() {
      return sentNanos;
    }

    /**
     * Whether it only reads. Its reply may then come before the fact that it kept the session alive
     * is durable.
     */
    boolean reads() {
      return operations[0].command().isRead();
    }

    PendingOperation[] operations() {
      return operations;
    }
  }
}
