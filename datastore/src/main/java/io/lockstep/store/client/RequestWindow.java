package io.lockstep.store.client;

import io.lockstep.store.core.Limits;
import java.util.ArrayDeque;

/**
 * The requests on their way, and the numbers of operations. Ids are never used twice, not even in
 * another session. Owned by the loop.
 */
final class RequestWindow {
  private final ArrayDeque<Sent> inOrder = new ArrayDeque<>();
  private long nextId = 1;
  private int outstanding;

  /** How many requests have neither an answer nor been given up. */
  int outstanding() {
    return outstanding;
  }

  /** Every operation with a lower id has its answer or was given up. */
  long acknowledgedBelow() {
    return inOrder.isEmpty() ? nextId : inOrder.getFirst().firstId();
  }

  /** Whether the replicas will take so many operations more beside the unacknowledged ones. */
  boolean admits(int operations) {
    return nextId + operations - acknowledgedBelow() <= Limits.UNACKNOWLEDGED_OPERATIONS;
  }

  /** Takes the next ids for {@code operations}, which all only read, or all do not. */
  Sent send(long sessionId, long nowNanos, PendingOperation[] operations) {
    Sent sent = new Sent(sessionId, nextId, nowNanos, operations);
    nextId += operations.length;
    inOrder.addLast(sent);
    outstanding++;
    return sent;
  }

  /** A request was answered or is given up; false where that is known already. */
  boolean finish(Sent sent) {
    if (sent.finished) {
      return false;
    }
    sent.finished = true;
    outstanding--;
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
    private boolean finished;

    private Sent(long sessionId, long firstId, long sentNanos, PendingOperation[] operations) {
      this.sessionId = sessionId;
      this.firstId = firstId;
      this.sentNanos = sentNanos;
      this.operations = operations;
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

    /** Whether it changes nothing: its reply may come before its sign of life is sure to last. */
    boolean reads() {
      return operations[0].command().isRead();
    }

    PendingOperation[] operations() {
      return operations;
    }
  }
}
