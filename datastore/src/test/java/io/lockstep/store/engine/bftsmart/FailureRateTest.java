package io.lockstep.store.engine.bftsmart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** When failures are too many. */
class FailureRateTest {
  private final FailureRate rate = new FailureRate();

  @Test
  void manyAtOnceAreTooMany() {
    for (int i = 1; i < FailureRate.MOST; i++) {
      assertThat(rate.failed(1000)).as("failure %d", i).isFalse();
    }
    assertThat(rate.failed(1000)).isTrue();
  }

  @Test
  void asManyOverALongLifeAreNot() {
    long step = FailureRate.WINDOW_MILLIS / FailureRate.MOST + 30;
    for (long i = 0; i < 10_000; i++) {
      assertThat(rate.failed(i * step)).as("failure %d", i).isFalse();
    }
    assertThat(rate.all()).isEqualTo(10_000);
  }

  @Test
  void windowEndsAtItsLength() {
    rate.failed(0);
    for (int i = 2; i < FailureRate.MOST; i++) {
      rate.failed(1);
    }
    assertThat(rate.failed(FailureRate.WINDOW_MILLIS)).isFalse();
    assertThat(rate.failed(FailureRate.WINDOW_MILLIS)).isTrue();
  }

  /** Against the plain way to count. */
  @Test
  void countsAsAListWould() {
    for (long seed = 1; seed <= 200; seed++) {
      Random random = new Random(seed);
      FailureRate one = new FailureRate();
      Deque<Long> times = new ArrayDeque<>();
      long now = random.nextInt(10_000);
      for (int i = 0; i < 500; i++) {
        now += random.nextInt(2600);
        times.add(now);
        while (now - times.peek() >= FailureRate.WINDOW_MILLIS) {
          times.remove();
        }
        assertThat(one.failed(now))
            .as("seed %d, failure %d", seed, i)
            .isEqualTo(times.size() >= FailureRate.MOST);
      }
    }
  }
}
