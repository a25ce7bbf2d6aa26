package io.lockstep.store.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands operations from any thread to the loop without a lock: a stack of links that the loop takes
 * as a whole and turns round. Bounded in number and in bytes; an operation counts until {@link
 * #left} says it was sent.
 */
final class SubmissionQueue {
  private final AtomicReference<@Nullable PendingOperation> newest = new AtomicReference<>();
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final int capacity;
  private final long maxBytes;

  /**
   * @param maxBytes of the operations, about; one alone may exceed it
   */
  SubmissionQueue(int capacity, long maxBytes) {
    this.capacity = capacity;
    this.maxBytes = maxBytes;
  }

  /** Adds an operation; false where there are too many. Any thread. */
  boolean offer(PendingOperation operation) {
    int number = count.incrementAndGet();
    long total = bytes.addAndGet(operation.bytes());
    if (number > capacity || (total > maxBytes && number > 1)) {
      left(operation);
      return false;
    }
    PendingOperation before;
    do {
      before = newest.get();
      operation.earlier = before;
    } while (!newest.compareAndSet(before, operation));
    return true;
  }

  /** Hands everything queued to {@code target}, oldest first. */
  void drainTo(Consumer<PendingOperation> target) {
    PendingOperation operation = newest.getAndSet(null);
    PendingOperation next = null;
    while (operation != null) {
      PendingOperation earlier = operation.earlier;
      operation.earlier = next;
      next = operation;
      operation = earlier;
    }
    while (next != null) {
      PendingOperation oldest = next;
      next = oldest.earlier;
      oldest.earlier = null;
      target.accept(oldest);
    }
  }

  boolean isEmpty() {
    return newest.get() == null;
  }

  /** An operation that was drained needs no place any more. */
  void left(PendingOperation operation) {
    count.decrementAndGet();
    bytes.addAndGet(-operation.bytes());
  }

  /** An operation that had left waits again, however many there are. */
  void back(PendingOperation operation) {
    count.incrementAndGet();
    bytes.addAndGet(operation.bytes());
  }

  /** How much waits, for whoever is turned away. */
  String waiting() {
    return count.get() + " commands of " + bytes.get() + " bytes are waiting";
  }
}
