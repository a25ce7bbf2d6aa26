package io.lockstep.bench.history.replica;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.log.MemoryLog;
import io.lockstep.store.log.disk.DiskLogOptions;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What a replica of a run may hold on its heap at most: the sum of the budgets that it is
 * configured with, and of what a run's load can put into the store. The rows are those of
 * docs/ARCHITECTURE.md, "What a client of the store may cost". Pure.
 */
public final class HeapBudgets {
  /** Classes, threads and buffers of a replica that holds nothing. */
  private static final long PROGRAM_BYTES = 25L << 20;

  /** Entries of all tables of a run and recorded replies: the load stays below. */
  private static final long STATE_BYTES = 24L << 20;

  /** Changes that the store keeps of each table, and tables of a run, the store's own included. */
  private static final long CHANGES_BYTES = 11 * (4L << 20);

  private static final long FORWARDED_BYTES = 8L << 20;
  private static final long PROPOSALS_BYTES = 8L << 20;
  private static final long AWAITING_BYTES = 16L << 20;
  private static final long BATCH_REPLIES_BYTES = 16L << 20;
  private static final int BATCHES = 4;
  private static final int COPIES = 3;

  /** Decisions that a replica without a disk keeps for its peers. */
  static final MemoryLog.Bounds MEMORY_LOG = new MemoryLog.Bounds(20_000, 16L << 20, 32L << 20);

  private HeapBudgets() {}

  /**
   * The budgets.
   *
   * @param durable whether the log is on disk
   * @return bytes by what they are for
   */
  static Map<String, Long> of(Limits limits, DiskLogOptions options, boolean durable) {
    long batch = Math.max(limits.maxBatchBytes(), limits.maxRequestBytes());
    Map<String, Long> budgets = new LinkedHashMap<>();
    budgets.put("program", PROGRAM_BYTES);
    budgets.put("state", STATE_BYTES);
    budgets.put("changes", CHANGES_BYTES);
    budgets.put("requests", (long) limits.maxPendingBytes());
    budgets.put("forwarded requests", FORWARDED_BYTES);
    budgets.put("batches", BATCHES * COPIES * batch);
    budgets.put("proposals", PROPOSALS_BYTES);
    budgets.put("leader change", BATCHES * (limits.maxBatchBytes() + batch));
    budgets.put("waiting replies", limits.maxQueuedBytes() / 4L);
    budgets.put("replies that wait for the disk", AWAITING_BYTES);
    budgets.put("replies of a batch", BATCH_REPLIES_BYTES);
    budgets.put("log", durable ? disk(options) : MEMORY_LOG.pinnedBytes());
    return budgets;
  }

  private static long disk(DiskLogOptions options) {
    return (long) options.pendingBytes() + options.tailBytes();
  }

  /** Their sum for the replicas of a run, in megabytes. */
  public static long megabytes(boolean durable) {
    Limits limits = ReplicaServer.limits();
    return of(limits, ReplicaServer.options(), durable).values().stream()
            .mapToLong(Long::longValue)
            .sum()
        >> 20;
  }
}
