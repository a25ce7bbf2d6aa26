package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.testing.ManualTime;
import org.junit.jupiter.api.Test;

class EpochRaisesTest {
  private final ManualTime time = new ManualTime();
  private final EpochRaises raises = new EpochRaises(time::nanos);

  @Test
  void switchThatRaisedTooOftenWaitsWhileOthersDoNot() {
    for (int i = 0; i < EpochRaises.MAX_RAISES; i++) {
      assertThat(raises.admit(1)).isTrue();
      time.pass(1_000);
    }
    assertThat(raises.admit(1)).isFalse();
    assertThat(raises.admit(2)).isTrue();
    time.pass(EpochRaises.PERIOD_MILLIS);
    assertThat(raises.admit(1)).isTrue();
  }
}
