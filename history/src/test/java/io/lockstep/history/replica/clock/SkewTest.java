package io.lockstep.history.replica.clock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SkewTest {
  @Test
  void aClockDriftsFromWhereItWas() {
    Skew fast = Skew.NONE.then(1_000_000, 0, 50_000);
    assertThat(fast.shown(1_000_000)).isEqualTo(1_000_000);
    assertThat(fast.shown(2_000_000)).isEqualTo(2_050_000);
    Skew slow = fast.then(2_000_000, 0, -50_000);
    assertThat(slow.shown(3_000_000)).isEqualTo(3_000_000);
  }

  @Test
  void aClockJumpsAndComesBack() {
    Skew ahead = Skew.NONE.then(1_000, 60_000, 0);
    assertThat(ahead.shown(1_500)).isEqualTo(61_500);
    assertThat(ahead.then(2_000, -60_000, 0).shown(2_500)).isEqualTo(2_500);
  }

  @Test
  void daysInNanosecondsDoNotOverflow() {
    long days = TimeUnit.DAYS.toNanos(30);
    assertThat(Skew.NONE.then(0, 0, 50_000).shown(days)).isEqualTo(days + days / 20);
  }

  @Test
  void theMonotonicClockDoesNotGoBack() {
    assertThatThrownBy(() -> SkewedTime.monotonic(-1, 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> SkewedTime.monotonic(0, -1_000_000))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** A replica that was started meanwhile hears of the end alone. */
  @Test
  void straightClocksAreTrueWhateverCameBefore() {
    SkewedTime.straighten();
    assertThat(millisAhead()).isBetween(-1_000L, 1_000L);
    SkewedTime.wall(3_600_000, 0);
    SkewedTime.monotonic(2_000, 50_000);
    assertThat(millisAhead()).isGreaterThan(3_500_000);
    long shown = SkewedTime.nanoTime();
    SkewedTime.straighten();
    assertThat(millisAhead()).isBetween(-1_000L, 1_000L);
    assertThat(SkewedTime.nanoTime()).isGreaterThanOrEqualTo(shown);
  }

  private static long millisAhead() {
    return SkewedTime.currentTimeMillis() - System.currentTimeMillis();
  }
}
