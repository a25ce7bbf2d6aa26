package io.lockstep.bench.drawing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class AxisTest {
  @Test
  void ticksAreRoundAndReachTheTop() {
    assertThat(Axis.upTo(941, 0, 1).ticks())
        .containsExactly(0.0, 200.0, 400.0, 600.0, 800.0, 1000.0);
    assertThat(Axis.upTo(6, 0, 1).ticks()).containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    assertThat(Axis.upTo(0, 0, 1).to()).isEqualTo(1);
    assertThat(Axis.upTo(50, 100, 0).pixel(50)).isEqualTo(0);
    assertThat(Axis.label(0.25)).isEqualTo("0.25");
    assertThat(Axis.label(1000)).isEqualTo("1000");
  }

  @Test
  void logarithmicAxisGoesInStepsOfOneTwoAndFive() {
    Axis axis = Axis.logarithmic(0.23, 18, 0, 100);
    assertThat(axis.ticks().stream().map(Axis::label))
        .containsExactly("0.2", "0.5", "1", "2", "5", "10", "20");
    assertThat(axis.pixel(2)).isCloseTo(50, within(1e-9));
  }

  @Test
  void logarithmicAxisOfOneValueHasALengthAndItsEndsAreNoFurtherAway() {
    Axis axis = Axis.logarithmic(5, 5, 0, 1);
    assertThat(axis.from()).isEqualTo(5);
    assertThat(axis.to()).isEqualTo(10);
    Axis exact = Axis.logarithmic(0.2, 50, 0, 1);
    assertThat(exact.from()).isCloseTo(0.2, within(1e-12));
    assertThat(exact.to()).isCloseTo(50, within(1e-9));
  }
}
