package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.core.StoreStateMachine;
import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import io.lockstep.store.log.disk.DiskLogOptions;
import org.junit.jupiter.api.Test;

/** The table of docs/ARCHITECTURE.md, "What a client of the store may cost". */
class HeapBudgetsTest {
  private static final int MEMBERS = 3;

  /** What the serial collector leaves of the default heap of 256 MiB. */
  private static final int HEAP_MEGABYTES = 247;

  /** Three eighths of that, as a node takes. */
  private static final int STATE_MEGABYTES = HEAP_MEGABYTES * 3 / 8;

  private static final long STORE_BYTES = StoreStateMachine.heapBytes(STATE_MEGABYTES);

  private static final long LOG_BYTES = DiskLogOptions.usual().memoryBytes();

  private static long megabytes(Limits limits) {
    return HeapBudgets.megabytes(limits, MEMBERS, STORE_BYTES, LOG_BYTES);
  }

  @Test
  void allBudgetsTogetherFitTheDefaultHeap() {
    assertThat(megabytes(Limits.usual())).isBetween(230L, (long) HEAP_MEGABYTES);
  }

  @Test
  void theSumFollowsTheConfiguration() {
    Limits usual = Limits.usual();
    int more = 1 << 20;
    long before = megabytes(usual);
    assertThat(megabytes(usual.withMaxPendingBytes(usual.maxPendingBytes() + more)))
        .isEqualTo(before + 1);
    assertThat(megabytes(usual.withMaxQueuedBytes(usual.maxQueuedBytes() + 4 * more)))
        .isEqualTo(before + 1);
    assertThat(HeapBudgets.megabytes(usual, MEMBERS, STORE_BYTES + more, LOG_BYTES + more))
        .isEqualTo(before + 2);
  }
}
