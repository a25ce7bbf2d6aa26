package io.lockstep.deploy.node;

import io.lockstep.deploy.process.OperatorException;
import io.lockstep.store.engine.Rules;

/**
 * How large the replicated state may become in a heap. While a snapshot is written, what is changed
 * meanwhile is there twice; and there are requests and replies beside the state. So three eighths
 * of the heap are usual, and more than half is refused.
 */
public final class StateSize {
  private StateSize() {}

  /** The limit of the state where none is configured, in MiB. */
  public static int usualMegabytes(long heapBytes) {
    return (int) Math.max(1, Math.min((heapBytes >> 20) * 3 / 8, Rules.MOST_MEGABYTES));
  }

  /**
   * The limit of the state, in MiB.
   *
   * @param configured 0 for the usual share
   * @param heapBytes the most that the heap may take
   * @throws OperatorException where the heap is too small for what is configured
   */
  static int megabytes(int configured, long heapBytes) throws OperatorException {
    long heap = heapBytes >> 20;
    if (configured == 0) {
      return usualMegabytes(heapBytes);
    }
    if (configured > heap / 2) {
      throw new OperatorException(
          "store.stateMegabytes: a state of "
              + configured
              + " MB does not fit into a heap of "
              + heap
              + " MB",
          "give the process at least twice as much with -Xmx in LOCKSTEP_JVM_FLAGS, or lower the"
              + " setting for all replicas");
    }
    return configured;
  }
}
