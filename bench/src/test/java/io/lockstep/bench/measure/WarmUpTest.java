package io.lockstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WarmUpTest {

  private static WarmUp after(int limitSeconds, double... perSecondAndCpu) {
    WarmUp warmUp = new WarmUp(limitSeconds);
    for (int i = 0; i < perSecondAndCpu.length; i += 2) {
      warmUp.add(new WarmUp.Slice(perSecondAndCpu[i], perSecondAndCpu[i + 1]));
    }
    return warmUp;
  }

  @Test
  void nothingIsSteadyBeforeThereAreTwoTimesThreeSlices() {
    assertThat(after(60, 100, 10, 100, 10, 100, 10, 100, 10, 100, 10).isOver()).isFalse();
    assertThat(after(60, 100, 10, 100, 10, 100, 10, 100, 10, 100, 10, 100, 10).isOver()).isTrue();
  }

  @Test
  void risingThroughputIsNotSteady() {
    assertThat(after(60, 100, 10, 100, 10, 100, 10, 106, 10, 106, 10, 106, 10).isOver()).isFalse();
    assertThat(after(60, 100, 10, 100, 10, 100, 10, 104, 10, 104, 10, 104, 10).isOver()).isTrue();
  }

  @Test
  void fallingCpuTimeIsNotSteadyThoughAnotherProcessTakesTheThroughput() {
    assertThat(after(60, 100, 20, 100, 20, 100, 20, 50, 15, 50, 15, 50, 15).isOver()).isFalse();
    assertThat(after(60, 100, 20, 100, 20, 100, 20, 50, 20, 50, 20, 50, 20).isOver()).isTrue();
  }

  @Test
  void onlyTheLastSixSlicesCount() {
    WarmUp warmUp = after(60, 10, 90, 50, 30, 100, 10, 100, 10, 100, 10, 100, 10, 100, 10, 100, 10);
    assertThat(warmUp.isSteady()).isTrue();
    assertThat(warmUp.seconds()).isEqualTo(16);
  }

  @Test
  void theLimitEndsItInAnyCase() {
    WarmUp warmUp = after(6, 100, 10, 200, 5);
    assertThat(warmUp.isOver()).isFalse();
    warmUp.add(new WarmUp.Slice(400, 2));
    assertThat(warmUp.isOver()).isTrue();
    assertThat(warmUp.isSteady()).isFalse();
    assertThat(after(1, 100, 10).isOver()).isTrue();
  }

  @Test
  void theLastSlicesAreTold() {
    WarmUp.Slice last = after(60, 1, 1, 100, 10, 100, 10, 400, 40).last();
    assertThat(last.flowsPerSecond()).isEqualTo(200);
    assertThat(last.cpuMicrosPerFlow()).isCloseTo(30, within(1e-9));
  }
}
