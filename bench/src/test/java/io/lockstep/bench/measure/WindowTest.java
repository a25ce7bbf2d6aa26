package io.lockstep.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class WindowTest {
  /** The clock wraps during the run, as {@link System#nanoTime} may. */
  private final long begin = Long.parseLong("9223372036354775807");

  private static final long MILLI = 1_000_000L;
  private static final Schedule SCHEDULE = new Schedule(1000, 2000, 100);

  private final Window window = new Window(begin, SCHEDULE);

  private void operation(long sentMillis, long answeredMillis) {
    window.sent(begin + sentMillis * MILLI);
    window.answered(begin + sentMillis * MILLI, begin + answeredMillis * MILLI);
  }

  @Test
  void warmUpIsNotCounted() {
    operation(10, 20);
    assertThat(window.figures(1).sent()).isZero();
    assertThat(window.figures(1).answered()).isZero();
    assertThat(window.figures(1).maxMicros()).isZero();
  }

  @Test
  void throughputIsWhatIsAnsweredInTheWindow() {
    operation(999, 1001);
    operation(1500, 1510);
    operation(2500, 2510);
    operation(2999, 3001);
    Figures figures = window.figures(4);
    assertThat(figures.answered()).isEqualTo(3);
    assertThat(figures.perSecond()).isEqualTo(1.5);
    assertThat(figures.answeredBySecond()).containsExactly(2L, 1L);
  }

  @Test
  void latencyIsOfWhatIsSentInTheWindow() {
    operation(999, 1999);
    operation(2999, 3500);
    assertThat(window.figures(1).sent()).isEqualTo(1);
    assertThat(window.figures(1).maxMicros()).isCloseTo(501_000, within(600.0));
  }

  @Test
  void percentiles() {
    for (int i = 1; i <= 100; i++) {
      operation(1000 + i, 1000 + 2 * i);
    }
    Figures figures = window.figures(1);
    assertThat(figures.p50Micros()).isCloseTo(50_000, within(100.0));
    assertThat(figures.p90Micros()).isCloseTo(90_000, within(100.0));
    assertThat(figures.p99Micros()).isCloseTo(99_000, within(100.0));
    assertThat(figures.maxMicros()).isCloseTo(100_000, within(100.0));
  }

  @Test
  void lossIsOfWhatIsSentInTheWindow() {
    window.sent(begin);
    window.lost(begin);
    window.sent(begin + 1500 * MILLI);
    window.lost(begin + 1500 * MILLI);
    assertThat(window.figures(1).lost()).isEqualTo(1);
  }

  @Test
  void theWindowIsHalfOpen() {
    assertThat(window.contains(begin + 1000 * MILLI - 1)).isFalse();
    assertThat(window.contains(begin + 1000 * MILLI)).isTrue();
    assertThat(window.contains(begin + 3000 * MILLI - 1)).isTrue();
    assertThat(window.contains(begin + 3000 * MILLI)).isFalse();
    assertThat(window.endNanos()).isEqualTo(begin + 3000 * MILLI);
  }

  @Test
  void aScheduleNeedsAWindowOfASecond() {
    assertThatThrownBy(() -> new Schedule(0, 999, 1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Schedule(-1, 1000, 1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Schedule(0, 1000, 0)).isInstanceOf(IllegalArgumentException.class);
  }
}
