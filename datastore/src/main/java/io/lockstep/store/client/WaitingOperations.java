package io.lockstep.store.client;

import io.lockstep.store.client.RequestWindow.Sent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The operations that wait to be sent, bounded in number and in bytes. Any thread adds one with
 * {@link #offer}, without a lock; the loop, which owns everything else, fetches what was added with
 * {@link #drain}.
 *
 * <p>The loop keeps two lanes: commands that only read, and the others. They do not share a
 * request: its replies come together, and those to reads need not wait for the disk.
 */
final class WaitingOperations {
  /** Operations that may share a request. */
  private static final class Lane extends ArrayDeque<PendingOperation> {
    private static final long serialVersionUID = 1L;

    /** Operations in one request at most: fewer for a while after an answer was too long. */
    int atOnce = BatchingStoreClient.MAX_BATCH;
  }

  /** The operations that the loop has not fetched yet: a stack of links. */
  private final AtomicReference<@Nullable PendingOperation> newest = new AtomicReference<>();

  // How many operations wait, and their bytes: on the stack and in the lanes.
  private final AtomicInteger count = new AtomicInteger();
  private final AtomicLong bytes = new AtomicLong();
  private final int capacity;
  private final long maxBytes;

  private final Lane reads = new Lane();
  private final Lane others = new Lane();

  /** Which lane's batch comes first, so that neither keeps the other from the last free place. */
  private boolean readsFirst;

  /**
   * @param capacity operations that wait at most
   * @param maxBytes of those operations, about; one alone may exceed it
   */
  WaitingOperations(int capacity, long maxBytes) {
    this.capacity = capacity;
    this.maxBytes = maxBytes;
  }

  /** Adds an operation; false where too many wait. Any thread. */
  boolean offer(PendingOperation operation) {
    int number = count.incrementAndGet();
    long total = bytes.addAndGet(operation.bytes());
    if (number > capacity || (total > maxBytes && number > 1)) {
      uncount(operation);
      return false;
    }
    PendingOperation before;
    do {
      before = newest.get();
      operation.earlier = before;
    } while (!newest.compareAndSet(before, operation));
    return true;
  }

  private void uncount(PendingOperation operation) {
    count.decrementAndGet();
    bytes.addAndGet(-operation.bytes());
  }

  /** Fetches the offered operations into the lanes. */
  void drain() {
    unstack(operation -> laneOf(operation).addLast(operation));
  }

  /** Hands every offered operation to {@code target}, oldest first, and empties the stack. */
  private void unstack(Consumer<PendingOperation> target) {
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

  private Lane laneOf(PendingOperation operation) {
    return operation.command().isRead() ? reads : others;
  }

  /**
   * Returns some of a request's operations, which are sent again before all others: the answer had
   * no room for their replies. From now on a request carries as many as that answer had room for,
   * and twice as many after each answer that is whole. The bounds do not apply.
   *
   * @param unanswered in order; not all of the request's
   */
  void putBack(Sent sent, List<PendingOperation> unanswered) {
    Lane lane = sent.reads() ? reads : others;
    if (unanswered.isEmpty()) {
      lane.atOnce = Math.min(BatchingStoreClient.MAX_BATCH, 2 * lane.atOnce);
      return;
    }
    lane.atOnce = Math.max(1, sent.operations().length - unanswered.size());
    for (int i = unanswered.size() - 1; i >= 0; i--) {
      PendingOperation operation = unanswered.get(i);
      count.incrementAndGet();
      bytes.addAndGet(operation.bytes());
      lane.addFirst(operation);
    }
  }

  /** Whether the lanes are empty. */
  boolean isEmpty() {
    return reads.isEmpty() && others.isEmpty();
  }

  /** How many operations wait. Any thread. */
  int count() {
    return count.get();
  }

  /** Their bytes, about. Any thread. */
  long bytes() {
    return bytes.get();
  }

  /** How much waits, for the message to a caller whose command is rejected. Any thread. */
  String describe() {
    return count.get() + " commands of " + bytes.get() + " bytes are waiting";
  }

  /**
   * Takes out what is worth a further request: 1, 1, 2, 4, 8 to 64 commands, the more the more
   * requests are on their way; nothing where there are fewer.
   */
  PendingOperation[] takeWorthwhile(int outstanding) {
    return take(outstanding == 0 ? 1 : 1 << Math.min(outstanding - 1, 6));
  }

  /** Takes out a batch, however small. */
  PendingOperation[] takeAny() {
    return take(1);
  }

  private PendingOperation[] take(int atLeast) {
    boolean fromReads =
        readsFirst ? reads.size() >= atLeast : others.size() < atLeast && !reads.isEmpty();
    Lane lane = fromReads ? reads : others;
    if (lane.size() < atLeast) {
      return new PendingOperation[0];
    }
    readsFirst = !fromReads;
    return takeBatch(lane);
  }

  private PendingOperation[] takeBatch(Lane lane) {
    int taken = 0;
    long takenBytes = 0;
    for (PendingOperation operation : lane) {
      takenBytes += operation.bytes();
      if (taken == lane.atOnce || (taken > 0 && takenBytes > BatchingStoreClient.MAX_BATCH_BYTES)) {
        break;
      }
      taken++;
    }
    PendingOperation[] batch = new PendingOperation[taken];
    for (int i = 0; i < taken; i++) {
      batch[i] = lane.removeFirst();
      uncount(batch[i]);
    }
    return batch;
  }

  /** Takes out the offered operations that the loop has not fetched. Any thread. */
  List<PendingOperation> takeOffered() {
    List<PendingOperation> offered = new ArrayList<>();
    unstack(offered::add);
    offered.forEach(this::uncount);
    return offered;
  }

  /** Takes out everything, also what was only offered. */
  List<PendingOperation> takeAll() {
    drain();
    List<PendingOperation> all = new ArrayList<>(others);
    all.addAll(reads);
    others.clear();
    reads.clear();
    all.forEach(this::uncount);
    return all;
  }

  /** Takes out what was submitted longer ago than {@code deadlineMillis}. */
  List<PendingOperation> takeOverdue(long nowNanos, long deadlineMillis) {
    List<PendingOperation> overdue = new ArrayList<>();
    takeOverdue(others, nowNanos, deadlineMillis, overdue);
    takeOverdue(reads, nowNanos, deadlineMillis, overdue);
    overdue.forEach(this::uncount);
    return overdue;
  }

  private static void takeOverdue(
      Lane lane, long nowNanos, long deadlineMillis, List<PendingOperation> overdue) {
    long deadlineNanos = TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    while (!lane.isEmpty() && nowNanos - lane.getFirst().submittedNanos() > deadlineNanos) {
      overdue.add(lane.removeFirst());
    }
  }
}
