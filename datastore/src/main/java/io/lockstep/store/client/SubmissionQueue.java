package io.lockstep.store.client;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands operations from any thread to the loop without a lock: a stack of links that the loop takes
 * as a whole and turns round. Bounded; an operation counts until {@link #left} says it was sent.
 */
final class SubmissionQueue {
  private final AtomicReference<@Nullable PendingOperation> newest = new AtomicReference<>();
  private final AtomicInteger count = new AtomicInteger();
  private final int capacity;

  SubmissionQueue(int capacity) {
    this.capacity = capacity;
  }

  /** Adds an operation; false where there are too many. Any thread. */
  boolean offer(PendingOperation operation) {
    if (count.incrementAndGet() > capacity) {
      count.decrementAndGet();
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

  /** So many operations that were drained need no place any more. */
  void left(int operations) {
    count.addAndGet(-operations);
  }

  /** So many operations that had left wait again, however many there are. */
  void back(int operations) {
    count.addAndGet(operations);
  }
}
