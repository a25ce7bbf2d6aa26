package io.lockstep.bench.history.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.store.engine.bftsmart.ReplicaConfig.Limits;
import org.junit.jupiter.api.Test;

class HeapBudgetsTest {
  /** The heap of a replica of a run, {@code -Xmx256m}. */
  private static final long HEAP_MEGABYTES = 256;

  private static long sum(Limits limits) {
    return HeapBudgets.of(limits, ReplicaServer.options(), true).values().stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  @Test
  void theBoundFitsIntoTheHeap() {
    assertThat(HeapBudgets.megabytes(true)).isBetween(100L, HEAP_MEGABYTES);
    assertThat(HeapBudgets.megabytes(false)).isBetween(100L, HEAP_MEGABYTES);
  }

  @Test
  void theBoundFollowsTheConfiguration() {
    Limits usual = ReplicaServer.limits();
    int more = 1 << 20;
    assertThat(sum(usual.withMaxPendingBytes(usual.maxPendingBytes() + more)) - sum(usual))
        .isEqualTo(more);
    assertThat(sum(usual.withMaxQueuedBytes(usual.maxQueuedBytes() + 4 * more)) - sum(usual))
        .isEqualTo(more);
  }
}
