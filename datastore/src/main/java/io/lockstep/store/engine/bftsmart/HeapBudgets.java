package io.lockstep.store.engine.bftsmart;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * The most that a replica may hold on its heap: the sum of its configured budgets. The rows are
 * those of docs/ARCHITECTURE.md, "What a client of the store may cost". The sum leaves out data
 * that changes while a snapshot is written. Pure.
 */
public final class HeapBudgets {
  /** Classes, threads and buffers of a replica that holds nothing. */
  private static final long PROGRAM_BYTES = 25L << 20;

  /** The running batch and the last three. */
  private static final int BATCHES = 4;

  /** As request, as proposal, and decided. */
  private static final int BATCH_COPIES = 3;

  private static final int FORWARDED_COPIES = 2;

  private static final String PROGRAM = "program";
  private static final String SERVICE = "state and replies of one batch";

  private HeapBudgets() {}

  /**
   * All budgets.
   *
   * @param members replicas of the cluster
   * @param serviceBytes of the ordered service: its state, and the replies to one batch
   * @param logBytes of decisions that the log keeps in memory
   * @return bytes by purpose
   */
  public static Map<String, Long> of(
      ReplicaConfig.Limits limits, int members, long serviceBytes, long logBytes) {
    long batch = Math.max(limits.maxBatchBytes(), limits.maxRequestBytes());
    Map<String, Long> budgets = new LinkedHashMap<>();
    budgets.put(PROGRAM, PROGRAM_BYTES);
    budgets.put(SERVICE, serviceBytes);
    budgets.put("requests", (long) limits.maxPendingBytes());
    budgets.put("forwarded requests", (long) FORWARDED_COPIES * RequestTable.FORWARDED_BYTES);
    budgets.put("batches", BATCHES * BATCH_COPIES * batch);
    budgets.put("proposals before their turn", ProposalWindow.BYTES);
    budgets.put("leader change", (long) limits.maxFrameBytes(members));
    budgets.put("replies that wait for room", ReplyBudgets.waitingBytes(limits.maxQueuedBytes()));
    budgets.put("replies that wait for the disk", OrderedState.MOST_AWAITING_BYTES);
    budgets.put("log", logBytes);
    return budgets;
  }

  /** The sum of all budgets, in MiB. */
  public static long megabytes(
      ReplicaConfig.Limits limits, int members, long serviceBytes, long logBytes) {
    return megabytes(of(limits, members, serviceBytes, logBytes));
  }

  /** The sum of these budgets, in MiB. */
  public static long megabytes(Map<String, Long> budgets) {
    return budgets.values().stream().mapToLong(Long::longValue).sum() >> 20;
  }

  /** The budgets that clients and peers can fill before anything is ordered. */
  public static Map<String, Long> fillable(Map<String, Long> budgets) {
    Map<String, Long> fillable = new LinkedHashMap<>(budgets);
    fillable.keySet().removeAll(Set.of(PROGRAM, SERVICE));
    return fillable;
  }
}
