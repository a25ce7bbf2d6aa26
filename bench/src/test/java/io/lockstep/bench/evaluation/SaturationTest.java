package io.lockstep.bench.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class SaturationTest {
  private final Saturation saturation = new Saturation();

  @Test
  void flowsAreDoubledUntilLessThanFivePerCentMore() {
    assertThat(saturation.next()).hasValue(64);
    saturation.add(64, 1000);
    assertThat(saturation.next()).hasValue(128);
    saturation.add(128, 1100);
    assertThat(saturation.next()).hasValue(256);
    saturation.add(256, 1140);
    assertThat(saturation.next()).as("a second look").hasValue(256);
    saturation.add(256, 1120);
    assertThat(saturation.next()).isEqualTo(OptionalInt.empty());
    assertThat(saturation.flows()).isEqualTo(256);
  }

  @Test
  void whereMoreFlowsAreSlowerTheCountBeforeIsTheSaturation() {
    saturation.add(64, 1000);
    saturation.add(128, 900);
    saturation.add(128, 910);
    assertThat(saturation.next()).isEmpty();
    assertThat(saturation.flows()).isEqualTo(64);
  }

  @Test
  void oneNoisySecondDoesNotEndIt() {
    saturation.add(64, 1000);
    saturation.add(128, 400);
    assertThat(saturation.next()).hasValue(128);
    saturation.add(128, 1300);
    assertThat(saturation.next()).hasValue(256);
  }

  @Test
  void countsThatWereMeasuredAnywayAreNotMeasuredAgain() {
    saturation.add(1, 10);
    saturation.add(64, 1000);
    saturation.add(256, 1500);
    assertThat(saturation.next()).hasValue(128);
  }

  @Test
  void itEndsAtTheLastCount() {
    for (int flows = 64; flows <= Saturation.LAST; flows *= 2) {
      assertThat(saturation.next()).hasValue(flows);
      saturation.add(flows, flows);
    }
    assertThat(saturation.next()).isEmpty();
    assertThat(saturation.flows()).isEqualTo(Saturation.LAST);
  }

  @Test
  void withoutARateThereIsNone() {
    assertThatThrownBy(saturation::flows).isInstanceOf(IllegalStateException.class);
  }
}
