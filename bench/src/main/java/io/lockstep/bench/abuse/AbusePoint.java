package io.lockstep.bench.abuse;

import io.lockstep.bench.cluster.NodeProcesses;
import io.lockstep.deploy.node.StateSize;
import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.HeapBudgets;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.log.disk.DiskLogOptions;
import java.util.Locale;
import java.util.Map;

/**
 * What one attack did. Names of the components are the keys of the result file.
 *
 * @param attack its name
 * @param unit in what {@code sent} counts: messages, bytes or connections
 * @param contained whether no node ended, the others lost nothing, their p99 is within three times
 *     the usual or {@link #P99_MILLIS}, and live memory below what it was before the attack and
 *     {@link #FILLABLE_MEGABYTES}
 * @param nodeRestarts nodes that ended during the attack
 * @param othersLost flows of the quiet switch that got no answer within their deadline or were sent
 *     out of a wrong port, and requests to the admin HTTP, one each second, without an answer
 * @param othersP99Millis of the quiet switch's flows, from when each was due to its answer
 * @param usualP99Millis the same just before, while the attacker sent the same messages to a socket
 *     that discards them
 * @param heapMegabytes in MiB, live objects after a full collection under attack, of the node with
 *     the most
 * @param logLinesPerMinute of the node with the most; an attack of less than a minute counts as one
 */
record AbusePoint(
    String attack,
    String unit,
    long sent,
    boolean contained,
    int nodeRestarts,
    long othersLost,
    double othersP99Millis,
    double usualP99Millis,
    double heapMegabytes,
    double logLinesPerMinute) {
  /** A p99 below this counts as contained, however short the usual one is. */
  static final double P99_MILLIS = 50;

  /** What the serial collector leaves of a node's default heap of 256 MiB. */
  private static final long HEAP_BYTES = 247L << 20;

  /** The sum of the budgets that a node's replica has with the default configuration, in MiB. */
  static final long HEAP_BOUND_MEGABYTES = HeapBudgets.megabytes(budgets());

  /**
   * The sum of those that an attacker may fill, in MiB: it has no session with the store, so not
   * the state and the replies to what is in it.
   */
  static final long FILLABLE_MEGABYTES = HeapBudgets.megabytes(HeapBudgets.fillable(budgets()));

  private static Map<String, Long> budgets() {
    return HeapBudgets.of(
        Limits.usual(),
        NodeProcesses.NODES,
        StoreStateMachine.heapBytes(StateSize.usualMegabytes(HEAP_BYTES)),
        DiskLogOptions.usual().memoryBytes());
  }

  /**
   * What came of an attack.
   *
   * @param heapBefore live memory of the node with the most just before, in MiB
   */
  static AbusePoint of(
      Attack attack,
      long sent,
      int restarts,
      long lost,
      double p99Millis,
      double usualP99Millis,
      double heapBefore,
      double heapMegabytes,
      double logLinesPerMinute) {
    double heapBound = Math.min(heapBefore + FILLABLE_MEGABYTES, (double) HEAP_BOUND_MEGABYTES);
    boolean contained =
        restarts == 0
            && lost == 0
            && p99Millis <= Math.max(3 * usualP99Millis, P99_MILLIS)
            && heapMegabytes < heapBound;
    return new AbusePoint(
        attack.label(),
        attack.unit().key(),
        sent,
        contained,
        restarts,
        lost,
        p99Millis,
        usualP99Millis,
        heapMegabytes,
        logLinesPerMinute);
  }

  /**
   * An attack under which nothing could be measured: it is not contained, and its figures but these
   * are 0.
   *
   * @param restarts nodes that had ended by then
   */
  static AbusePoint unmeasured(Attack attack, long sent, int restarts) {
    return new AbusePoint(
        attack.label(), attack.unit().key(), sent, false, restarts, 0, 0, 0, 0, 0);
  }

  /** One line for people. */
  String line() {
    return String.format(
        Locale.ROOT,
        "%-20s %-13s %11d %-11s  restarts %d  lost %d  p99 %.1f ms (usual %.1f)  heap %.0f MB"
            + "  log %.0f lines/min",
        attack,
        contained ? "contained" : "NOT CONTAINED",
        sent,
        unit,
        nodeRestarts,
        othersLost,
        othersP99Millis,
        usualP99Millis,
        heapMegabytes,
        logLinesPerMinute);
  }
}
