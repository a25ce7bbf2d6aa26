package io.lockstep.core.state;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FairShareTest {
  private static final long MOST = FairShare.MAX_PAUSE_MILLIS * 1_000_000;

  @Test
  void othersHaveFourFifthsOfTheTime() {
    assertThat(FairShare.pauseNanos(0)).isZero();
    assertThat(FairShare.pauseNanos(10)).isEqualTo(40);
    assertThat(FairShare.pauseNanos(-1)).as("a clock that went back").isZero();
  }

  @Test
  void pauseIsBounded() {
    assertThat(FairShare.pauseNanos(MOST / FairShare.FACTOR)).isEqualTo(MOST);
    assertThat(FairShare.pauseNanos(MOST)).isEqualTo(MOST);
  }
}
