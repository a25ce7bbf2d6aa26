package io.lockstep.history.load;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PaceTest {
  private long now;

  private int taken(Pace pace) {
    int taken = 0;
    while (pace.take()) {
      taken++;
    }
    return taken;
  }

  @Test
  void aWaveLetsItsShareThrough() {
    Pace pace = new Pace(() -> now, 55, new LineBudget(1_000));
    int all = 0;
    for (int wave = 0; wave < 20; wave++) {
      now = wave * 100_000_000L;
      int some = taken(pace);
      assertThat(some).isBetween(5, 6);
      all += some;
    }
    assertThat(all).isEqualTo(110);
  }

  @Test
  void whatAWaveDidNotUseIsLost() {
    Pace pace = new Pace(() -> now, 50, new LineBudget(1_000));
    assertThat(pace.take()).isTrue();
    now = 10_000_000_000L;
    assertThat(taken(pace)).isEqualTo(5);
  }

  @Test
  void aLowRateHasFewerWavesNotMoreOperations() {
    Pace pace = new Pace(() -> now, 0.5, new LineBudget(1_000));
    int all = 0;
    for (int wave = 0; wave < 1_000; wave++) {
      now = wave * 100_000_000L;
      int some = taken(pace);
      assertThat(some).isIn(0, 4);
      all += some;
    }
    assertThat(all).isBetween(48, 56);
  }

  @Test
  void inAllNotMoreThanTheLines() {
    Pace pace = new Pace(() -> now, 1_000, new LineBudget(7));
    assertThat(pace.spent()).isFalse();
    assertThat(taken(pace)).isEqualTo(7);
    now = 1_000_000_000;
    assertThat(taken(pace)).isZero();
    assertThat(pace.spent()).isTrue();
  }
}
