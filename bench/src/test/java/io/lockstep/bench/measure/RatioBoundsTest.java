package io.lockstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class RatioBoundsTest {
  @Test
  void meanIsGeometricAndBoundsFollowStudent() {
    RatioBounds bounds = RatioBounds.of(List.of(0.5, 2.0));
    assertThat(bounds.mean()).isCloseTo(1, within(1e-9));
    // The logarithms are -ln 2 and ln 2: their mean's error is ln 2, and t is 12.706.
    assertThat(bounds.upper()).isCloseTo(Math.exp(12.706 * Math.log(2)), within(1e-6));
    assertThat(bounds.lower() * bounds.upper()).isCloseTo(1, within(1e-9));
  }

  @Test
  void equalRoundsLeaveNoDoubt() {
    RatioBounds bounds = RatioBounds.of(Collections.nCopies(RatioBounds.MOST_ROUNDS, 0.9));
    assertThat(bounds.lower()).isCloseTo(0.9, within(1e-9));
    assertThat(bounds.upper()).isCloseTo(0.9, within(1e-9));
  }

  @Test
  void oneRoundHasNoBounds() {
    assertThat(RatioBounds.of(List.of(1.1)).mean()).isCloseTo(1.1, within(1e-9));
    assertThat(RatioBounds.of(List.of(1.1)).lower()).isNaN();
  }

  @Test
  void noneAndTooManyAreRefused() {
    assertThatThrownBy(() -> RatioBounds.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    List<Double> many = Collections.nCopies(RatioBounds.MOST_ROUNDS + 1, 1.0);
    assertThatThrownBy(() -> RatioBounds.of(many)).isInstanceOf(IllegalArgumentException.class);
  }
}
