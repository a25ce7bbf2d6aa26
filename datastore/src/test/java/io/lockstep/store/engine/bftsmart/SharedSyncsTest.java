package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SharedSyncsTest {
  private final SharedSyncs syncs = new SharedSyncs();

  @Test
  void waitsUntilTheLogHasSynced() {
    assertThat(syncs.waits(5, 5, true, 1, 100)).isFalse();
    assertThat(syncs.waits(6, 5, true, 1, 100)).isTrue();
    assertThat(syncs.waits(6, 5, true, 3, 101)).isTrue();
    assertThat(syncs.waits(6, 6, true, 3, 101)).isFalse();
  }

  @Test
  void doesNotWaitWhereNoReplyDoes() {
    assertThat(syncs.waits(6, 5, false, 1, 100)).isFalse();
  }

  @Test
  void doesNotWaitOnceEnoughRequestsAreThere() {
    assertThat(syncs.waits(6, 5, true, SharedSyncs.ENOUGH_REQUESTS - 1, 100)).isTrue();
    assertThat(syncs.waits(6, 5, true, SharedSyncs.ENOUGH_REQUESTS, 100)).isFalse();
  }

  @Test
  void doesNotWaitForASlowDiskUntilItHasCaughtUp() {
    assertThat(syncs.waits(6, 5, true, 1, 100)).isTrue();
    assertThat(syncs.waits(6, 5, true, 1, 101 + SharedSyncs.MOST_MILLIS)).isFalse();
    assertThat(syncs.waits(7, 5, true, 1, 110)).as("the disk is still slow").isFalse();
    assertThat(syncs.waits(8, 7, true, 1, 120)).as("it has not caught up").isFalse();
    assertThat(syncs.waits(8, 8, true, 1, 130)).isFalse();
    assertThat(syncs.waits(9, 8, true, 1, 140)).as("it has caught up").isTrue();
  }

  @Test
  void measuresEachSyncByItself() {
    long now = 100;
    for (long last = 6; last < 100; last++) {
      assertThat(syncs.waits(last, last - 1, true, 1, now)).isTrue();
      now += SharedSyncs.MOST_MILLIS;
    }
  }

  @Test
  void clockMayBeNegative() {
    assertThat(syncs.waits(6, 5, true, 1, -100)).isTrue();
    assertThat(syncs.waits(6, 5, true, 1, -90)).isFalse();
  }
}
