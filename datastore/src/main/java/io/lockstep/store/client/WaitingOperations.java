package io.lockstep.store.client;

import io.lockstep.store.client.RequestWindow.Sent;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What waits to be sent, in two lanes: commands that only read, and the others. They do not share a
 * request: its replies come together, and those to reads need not wait for the disk. Owned by the
 * loop.
 */
final class WaitingOperations {
  /** Operations that may share a request. */
  private static final class Lane extends ArrayDeque<PendingOperation> {
    private static final long serialVersionUID = 1L;

    /** Operations in one request at most: fewer for a while after an answer was too long. */
    int atOnce = BatchingStoreClient.MAX_BATCH;
  }

  private final Lane reads = new Lane();
  private final Lane others = new Lane();

  /** Whose batch comes first, so that neither keeps the other from the last free place. */
  private boolean readsFirst;

  void add(PendingOperation operation) {
    (operation.command().isRead() ? reads : others).addLast(operation);
  }

  /**
   * Some of a request's operations are to be sent again, before all others: the answer had no room
   * for their replies. As many as it had room for are sent together from now on, and twice as many
   * with each answer that is whole.
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
      lane.addFirst(unanswered.get(i));
    }
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
    Lane lane = fromReads ? reads : others;
    if (lane.size() < atLeast) {
      return new PendingOperation[0];
    }
    readsFirst = !fromReads;
    return takeBatch(lane, lane.atOnce);
  }

  private static PendingOperation[] takeBatch(ArrayDeque<PendingOperation> lane, int most) {
    int count = 0;
    long bytes = 0;
    for (PendingOperation operation : lane) {
      bytes += operation.bytes();
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
