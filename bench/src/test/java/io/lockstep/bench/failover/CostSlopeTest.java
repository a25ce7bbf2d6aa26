package io.lockstep.bench.failover;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class CostSlopeTest {
  private static CostPoint look(long second, double live, long snapshots) {
    return new CostPoint("churn", second, 1, 10, live, 100, 0, snapshots, 0, 0);
  }

  @Test
  void growthIsPerMinute() {
    CostSlope slope = CostSlope.of(1, List.of(look(0, 50, 2), look(30, 51, 3), look(60, 52, 5)));
    assertThat(slope.megabytesPerMinute()).isEqualTo(2);
    assertThat(slope.snapshots()).isEqualTo(3);
    assertThat(slope.seconds()).isEqualTo(60);
  }

  @Test
  void whatGoesUpAndDownDoesNotGrow() {
    List<CostPoint> looks = List.of(look(0, 50, 0), look(10, 60, 1), look(20, 50, 2));
    assertThat(CostSlope.of(1, looks).megabytesPerMinute()).isZero();
    assertThat(CostSlope.of(1, looks.subList(0, 1)).megabytesPerMinute()).isZero();
  }
}
