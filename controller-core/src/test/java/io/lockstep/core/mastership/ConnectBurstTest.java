package io.lockstep.core.mastership;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ConnectBurstTest {
  private long nowNanos = -1;
  private final ConnectBurst burst = new ConnectBurst(() -> nowNanos);

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void nodeIsAtRestWhenNoSwitchConnectedForAWhile() {
    assertThat(burst.atRest()).isTrue();
    for (long dpid = 1; dpid <= 50; dpid++) {
      burst.connected(dpid);
      pass(ConnectBurst.QUIET_MILLIS - 1);
      assertThat(burst.atRest()).isFalse();
    }
    pass(1);
    assertThat(burst.atRest()).isTrue();
  }

  @Test
  void nodeThatJustBeganWaitsForItsSwitches() {
    burst.started();
    pass(100);
    burst.connected(1);
    pass(ConnectBurst.START_MILLIS - 101);
    assertThat(burst.atRest()).isFalse();
    pass(1);
    assertThat(burst.atRest()).isTrue();
  }

  @Test
  void switchThatComesAndGoesCountsOnceInAWhile() {
    burst.connected(1);
    long millis = 0;
    for (; millis < ConnectBurst.QUIET_MILLIS; millis += 100) {
      pass(100);
      burst.connected(1);
    }
    for (; millis < ConnectBurst.REPEAT_MILLIS; millis += 100) {
      assertThat(burst.atRest()).isTrue();
      pass(100);
      if (millis + 100 < ConnectBurst.REPEAT_MILLIS) {
        burst.connected(1);
      }
    }
    burst.connected(1);
    assertThat(burst.atRest()).isFalse();
  }
}
