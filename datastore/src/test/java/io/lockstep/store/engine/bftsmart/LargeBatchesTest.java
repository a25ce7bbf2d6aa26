package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LargeBatchesTest {
  private static final int LARGE = 1 << 20;
  private static final int SMALL = 1_000;

  private final LargeBatches batches = new LargeBatches();

  @Test
  void firstBatchMayBeLarge() {
    assertThat(batches.admits(-1, -1, -5_000)).isTrue();
    batches.proposed(0, SMALL, -5_000);
    assertThat(batches.admits(0, -1, -5_000)).isTrue();
  }

  @Test
  void nextLargeBatchWaitsUntilTheLastOneIsDurable() {
    batches.proposed(7, LARGE, 100);
    assertThat(batches.admits(7, 6, 110)).isFalse();
    assertThat(batches.admits(9, 6, 10_000)).isFalse();
    assertThat(batches.admits(9, 7, 10_001)).isTrue();
  }

  @Test
  void withoutOthersLargeBatchesFollowEachOtherAtOnce() {
    for (int instance = 0; instance < 10; instance++) {
      assertThat(batches.admits(instance - 1, instance - 1, 30L * instance)).isTrue();
      batches.proposed(instance, LARGE, 30L * instance);
    }
  }

  @Test
  void besideOthersPauseIsAsLongAsTheLastLargeBatchTook() {
    batches.proposed(7, LARGE, 100);
    assertThat(batches.admits(7, 6, 120)).isFalse();
    batches.proposedSmall();
    assertThat(batches.admits(8, 7, 140)).isFalse();
    assertThat(batches.admits(8, 8, 179)).isFalse();
    assertThat(batches.admits(8, 8, 180)).isTrue();
  }

  @Test
  void pauseBeginsWhereOthersComeAfterTheLargeBatchWasDurable() {
    batches.proposed(7, LARGE, 100);
    assertThat(batches.admits(7, 7, 140)).isTrue();
    batches.proposed(8, SMALL, 141);
    assertThat(batches.admits(8, 8, 150)).isFalse();
    assertThat(batches.admits(8, 8, 180)).isTrue();
  }

  /** However slow the disk was. */
  @Test
  void pauseIsBounded() {
    batches.proposed(7, LARGE, 0);
    batches.proposedSmall();
    assertThat(batches.admits(8, 8, 60_000)).isFalse();
    assertThat(batches.admits(8, 8, 60_000 + LargeBatches.MOST_PAUSE_MILLIS)).isTrue();
  }

  @Test
  void largeBatchesTakeHalfOfTheTimeAtMostBesideOthers() {
    int largeTicks = 0;
    long began = -1;
    for (int tick = 0; tick < 10_000; tick++) {
      boolean runs = began >= 0 && tick - began < 20;
      largeTicks += runs ? 1 : 0;
      if (batches.admits(tick, runs ? began - 1 : tick, tick)) {
        batches.proposed(tick, LARGE, tick);
        began = tick;
      } else {
        batches.proposedSmall();
      }
    }
    assertThat(largeTicks).isBetween(4_500, 5_000);
  }

  @Test
  void batchThatALeaderChangeDroppedIsNotWaitedFor() {
    batches.proposed(7, LARGE, 100);
    assertThat(batches.admits(6, 5, 110)).isFalse();
    assertThat(batches.admits(6, 6, 110)).isTrue();
  }
}
