package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class EstimateTest {
  /** Student's 95 % interval of these five, calculated by hand: s = 1.5811, t = 2.776. */
  @Test
  void intervalOfFiveForks() {
    Estimate estimate = Estimate.of(List.of(8.0, 9.0, 10.0, 11.0, 12.0));
    assertThat(estimate.mean()).isEqualTo(10);
    assertThat(estimate.low()).isCloseTo(10 - 1.963, within(0.001));
    assertThat(estimate.high()).isCloseTo(10 + 1.963, within(0.001));
  }

  @Test
  void oneForkHasNoInterval() {
    assertThat(Estimate.of(List.of(8.0))).isEqualTo(new Estimate(8, null, null));
  }
}
