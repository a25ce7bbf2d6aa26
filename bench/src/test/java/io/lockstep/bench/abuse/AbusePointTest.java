package io.lockstep.bench.abuse;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AbusePointTest {
  private static final Attack ATTACK = Attack.ALL.get(0);

  private static boolean contained(
      int restarts, long lost, double p99Millis, double usualP99Millis, double heapMegabytes) {
    return AbusePoint.of(ATTACK, 1, restarts, lost, p99Millis, usualP99Millis, 30, heapMegabytes, 0)
        .contained();
  }

  @Test
  void anAttackIsContainedWithinEveryBound() {
    assertThat(contained(0, 0, 50, 1, 100)).isTrue();
    assertThat(contained(0, 0, 90, 30, 100)).isTrue();
  }

  @Test
  void oneBoundThatIsCrossedIsEnough() {
    assertThat(contained(1, 0, 1, 1, 100)).isFalse();
    assertThat(contained(0, 1, 1, 1, 100)).isFalse();
    assertThat(contained(0, 0, 50.1, 1, 100)).isFalse();
    assertThat(contained(0, 0, 90.1, 30, 100)).isFalse();
    assertThat(contained(0, 0, 1, 1, 30.0 + AbusePoint.FILLABLE_MEGABYTES)).isFalse();
  }

  /** What the store holds before the attack leaves no more room to the attacker. */
  @Test
  void anAttackerHasItsOwnBudgetsAlone() {
    assertThat(AbusePoint.FILLABLE_MEGABYTES).isBetween(50L, 150L);
    double full = (double) AbusePoint.HEAP_BOUND_MEGABYTES;
    assertThat(AbusePoint.of(ATTACK, 1, 0, 0, 1, 1, full, full, 0).contained()).isFalse();
  }

  /** A heap that is full must not count as one within its bound. */
  @Test
  void theBoundOfTheHeapIsBelowWhatTheHeapCanHold() {
    assertThat(AbusePoint.HEAP_BOUND_MEGABYTES).isBetween(200L, 247L);
  }
}
