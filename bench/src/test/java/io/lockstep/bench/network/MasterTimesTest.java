package io.lockstep.bench.network;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MasterTimesTest {
  private final MasterTimes times = new MasterTimes();

  private void seen(int missing, int millis) {
    times.seen(missing, 10, 5_000_000_000L + millis * 1_000_000L);
  }

  @Test
  void theFirstAndTheLastSwitchAreTimed() {
    times.begin(5_000_000_000L);
    seen(10, 5);
    seen(7, 10);
    seen(1, 15);
    seen(0, 20);
    seen(0, 25);
    assertThat(times.masters()).isEqualTo(new NetworkPoint.Masters(10, 20));
  }

  /** A switch that loses its new master is not mastered. */
  @Test
  void allAreMasteredWhenTheyStay() {
    times.begin(5_000_000_000L);
    seen(0, 10);
    seen(2, 15);
    seen(0, 40);
    assertThat(times.masters()).isEqualTo(new NetworkPoint.Masters(10, 40));
  }
}
