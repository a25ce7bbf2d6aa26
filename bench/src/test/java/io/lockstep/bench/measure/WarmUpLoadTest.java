package io.lockstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.measure.WarmUp.Slice;
import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import org.junit.jupiter.api.Test;

class WarmUpLoadTest {
  private int slices;

  /** A load that gets better for some slices. */
  private WarmUpLoad.Load<RuntimeException> better(int forSlices) {
    return seconds -> {
      slices++;
      int steps = Math.min(slices, forSlices);
      return new Slice(1000.0 * steps, 500.0 / steps);
    };
  }

  @Test
  void endsWhenTheLoadNoLongerGetsBetter() throws Exception {
    Warmth warmth = new WarmUpLoad(0, 60).run(better(4));
    assertThat(warmth.warm()).isTrue();
    assertThat(warmth.warmupSeconds()).isEqualTo(2 * slices).isBetween(14, 20);
    assertThat(warmth.words()).isEmpty();
  }

  @Test
  void lastsForTheLeastTimeEvenWhereNothingGetsBetter() throws Exception {
    assertThat(new WarmUpLoad(31, 60).run(better(1))).isEqualTo(new Warmth(32, true));
  }

  @Test
  void givesUpWhileTheLoadStillGetsBetter() throws Exception {
    Warmth warmth = new WarmUpLoad(0, 20).run(better(100));
    assertThat(warmth).isEqualTo(new Warmth(20, false));
    assertThat(warmth.words()).contains("NOT WARM").contains("20 s");
  }

  @Test
  void aSystemWithoutLoadIsCold() throws Exception {
    assertThat(new WarmUpLoad(0, 0).run(better(1))).isEqualTo(new Warmth(0, false));
    assertThat(slices).isZero();
  }

  @Test
  void aMaximumBelowTheMinimumIsRefused() {
    assertThatThrownBy(() -> new WarmUpLoad(5, 4)).hasMessageContaining("got 5 and 4");
    assertThatThrownBy(() -> new WarmUpLoad(-1, 4)).hasMessageContaining("got -1 and 4");
  }
}
