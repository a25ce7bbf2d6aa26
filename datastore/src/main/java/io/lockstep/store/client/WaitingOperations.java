package io.lockstep.store.client;

import io.lockstep.store.codec.RequestEncoder;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;

/**
 * What waits to be sent, in two lanes: commands that only read, and the others. They do not share a
 * request: its replies come together, and those to reads need not wait for the disk. Owned by the
 * loop.
 */
final class WaitingOperations {
  private final ArrayDeque<PendingOperation> reads = new ArrayDeque<>();
  private final ArrayDeque<PendingOperation> others = new ArrayDeque<>();

  /** Reads in one request at most: fewer for a while after an answer was too long. */
  private int readsAtOnce = BatchingStoreClient.MAX_BATCH;

  /** Whose batch comes first, so that neither keeps the other from the last free place. */
  private boolean readsFirst;

  void add(PendingOperation operation) {
    (operation.command().isRead() ? reads : others).addLast(operation);
  }

  /**
   * Of a request's operations those from {@code answered} on are to be sent again, before all
   * others: the answer had no room for them. As many as it had room for are sent together from now
   * on, and twice as many with each answer that is whole.
   *
   * @return how many they are
   */
  int putBack(PendingOperation[] operations, int answered) {
    int left = operations.length - answered;
    if (left == 0) {
      readsAtOnce = Math.min(BatchingStoreClient.MAX_BATCH, 2 * readsAtOnce);
      return 0;
    }
    readsAtOnce = answered;
    for (int i = operations.length - 1; i >= answered; i--) {
      reads.addFirst(operations[i]);
    }
    return left;
  }

  boolean isEmpty() {
    return reads.isEmpty() && others.isEmpty();
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
    ArrayDeque<PendingOperation> lane = fromReads ? reads : others;
    if (lane.size() < atLeast) {
      return new PendingOperation[0];
    }
    readsFirst = !fromReads;
    return takeBatch(lane, fromReads ? readsAtOnce : BatchingStoreClient.MAX_BATCH);
  }

  private static PendingOperation[] takeBatch(ArrayDeque<PendingOperation> lane, int most) {
    int count = 0;
    long bytes = 0;
    for (PendingOperation operation : lane) {
      bytes += RequestEncoder.sizeHint(operation.command());
      if (count == most || (count > 0 && bytes > BatchingStoreClient.MAX_BATCH_BYTES)) {
        break;
      }
      count++;
    }
    PendingOperation[] batch = new PendingOperation[count];
    for (int i = 0; i < count; i++) {
      batch[i] = lane.removeFirst();
    }
    return batch;
  }

  /** Takes out everything. */
  ArrayDeque<PendingOperation> takeAll() {
    ArrayDeque<PendingOperation> all = new ArrayDeque<>(others);
    all.addAll(reads);
    others.clear();
    reads.clear();
    return all;
  }

  /** Takes out what was submitted longer ago than that. */
  ArrayDeque<PendingOperation> takeOverdue(long nowNanos, long deadlineMillis) {
    ArrayDeque<PendingOperation> overdue = new ArrayDeque<>();
    takeOverdue(others, nowNanos, deadlineMillis, overdue);
    takeOverdue(reads, nowNanos, deadlineMillis, overdue);
    return overdue;
  }

  private static void takeOverdue(
      ArrayDeque<PendingOperation> lane,
      long nowNanos,
      long deadlineMillis,
      ArrayDeque<PendingOperation> overdue) {
    long deadlineNanos = TimeUnit.MILLISECONDS.toNanos(deadlineMillis);
    while (!lane.isEmpty() && nowNanos - lane.getFirst().submittedNanos() > deadlineNanos) {
      overdue.add(lane.removeFirst());
    }
  }
}
