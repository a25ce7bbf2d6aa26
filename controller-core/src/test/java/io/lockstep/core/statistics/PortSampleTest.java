package io.lockstep.core.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PortStats;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What a port counted between two answers. */
class PortSampleTest {
  private static final long SECOND_NANOS = 1_000_000_000L;

  private static PortStats stats(long counter, long seconds, long nanos) {
    return new PortStats(
        1,
        counter,
        counter + 1,
        counter + 2,
        counter + 3,
        counter + 4,
        counter + 5,
        counter + 6,
        counter + 7,
        seconds,
        nanos);
  }

  private static PortStats delta(PortStats old, PortStats now) {
    return Objects.requireNonNull(PortSample.delta(old, now, 5 * SECOND_NANOS));
  }

  @Test
  void deltaIsWhatWasCountedAndTheTimeThatTheSwitchSays() {
    assertThat(delta(stats(100, 7, 900_000_000), stats(150, 12, 100_000_000)))
        .isEqualTo(new PortStats(1, 50, 50, 50, 50, 50, 50, 50, 50, 4, 200_000_000));
  }

  @Test
  void nodeCountsTheTimeWhereTheSwitchDoesNot() {
    long unknown = PortStats.UNKNOWN;
    PortStats delta = delta(stats(1, unknown, unknown), stats(2, unknown, unknown));
    assertThat(delta.durationSeconds()).isEqualTo(5);
    assertThat(delta.durationNanos()).isZero();
  }

  @Test
  void counterThatTheSwitchLacksStaysUnknown() {
    PortStats old = new PortStats(1, 1, 1, 1, 1, 1, 1, -1, 1, 1, 0);
    PortStats now = new PortStats(1, 2, 2, 2, 2, 2, 2, -1, -1, 2, 0);
    PortStats delta = delta(old, now);
    assertThat(delta.rxErrors()).isEqualTo(PortStats.UNKNOWN);
    assertThat(delta.txErrors()).isEqualTo(PortStats.UNKNOWN);
    assertThat(delta.rxPackets()).isEqualTo(1);
  }

  @Test
  void countersAreUnsigned() {
    assertThat(delta(stats(Long.MAX_VALUE - 20, 1, 0), stats(Long.MAX_VALUE + 9, 2, 0)).rxPackets())
        .isEqualTo(29);
  }

  @Test
  void portThatBeganToCountAnewHasNoDelta() {
    assertThat(PortSample.delta(stats(100, 7, 0), stats(99, 12, 0), SECOND_NANOS)).isNull();
    assertThat(PortSample.delta(stats(100, 7, 0), stats(200, 6, 0), SECOND_NANOS)).isNull();
  }

  @Test
  void answerIsReducedToThePortsOfTheSwitchAndTheLastEntryOfEach() {
    PortSample first = PortSample.of(List.of(stats(1, 1, 0)), port -> true, null, 0);
    PortStats foreign = new PortStats(77, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1);
    PortSample sample =
        PortSample.of(
            List.of(stats(1, 1, 0), foreign, stats(3, 2, 0)), port -> port == 1, first, 1);
    assertThat(sample.ports()).containsOnlyKeys(1L);
    assertThat(Objects.requireNonNull(sample.deltas().get(1L)).rxPackets()).isEqualTo(2);
    assertThat(first.deltas()).as("the first answer").isEmpty();
  }
}
