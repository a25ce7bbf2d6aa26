package io.lockstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.bench.measure.WarmUpLoad.Warmth;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WarmUpLoadTest {
  private final List<Integer> windows = new ArrayList<>();

  /** A load whose windows have these rates; the last one stays. */
  private WarmUpLoad.Load<RuntimeException> rates(double... rates) {
    return seconds -> {
      windows.add(seconds);
      return rates[Math.min(windows.size(), rates.length) - 1];
    };
  }

  @Test
  void endsWhenTheRateNoLongerRises() throws Exception {
    Warmth warmth = new WarmUpLoad(0, 60).run(rates(100, 150, 180, 190, 191, 189, 190));
    assertThat(warmth).isEqualTo(new Warmth(21, true));
    assertThat(warmth.words()).isEmpty();
  }

  @Test
  void lastsForTheLeastTimeEvenIfTheRateIsSteady() throws Exception {
    assertThat(new WarmUpLoad(20, 60).run(rates(100))).isEqualTo(new Warmth(21, true));
  }

  @Test
  void noiseBelowTheBestRateIsNoRise() throws Exception {
    assertThat(new WarmUpLoad(0, 60).run(rates(100, 80, 95, 101))).isEqualTo(new Warmth(12, true));
  }

  @Test
  void givesUpWhileTheRateStillRises() throws Exception {
    Warmth warmth = new WarmUpLoad(0, 8).run(rates(100, 150, 200));
    assertThat(warmth).isEqualTo(new Warmth(8, false));
    assertThat(windows).containsExactly(3, 3, 2);
    assertThat(warmth.words()).contains("NOT WARM").contains("8 s");
  }

  @Test
  void aSystemWithoutLoadIsCold() throws Exception {
    assertThat(new WarmUpLoad(0, 0).run(rates(100))).isEqualTo(new Warmth(0, false));
    assertThat(windows).isEmpty();
  }

  @Test
  void aMaximumBelowTheMinimumIsRefused() {
    assertThatThrownBy(() -> new WarmUpLoad(5, 4)).hasMessageContaining("got 5 and 4");
    assertThatThrownBy(() -> new WarmUpLoad(-1, 4)).hasMessageContaining("got -1 and 4");
  }
}
