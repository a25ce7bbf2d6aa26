package io.lockstep.store.logging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogLimitTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** Near the end of the clock's range: it may wrap. */
  private long nanos = Long.MAX_VALUE - MINUTE / 2;

  private final LogLimit limit = new LogLimit(() -> nanos);

  private int admitted(LogLimit by, String key, int times) {
    int lines = 0;
    for (int i = 0; i < times; i++) {
      lines += by.admit(key) == null ? 0 : 1;
    }
    return lines;
  }

  @Test
  void tenLinesAMinuteForOneCauseAndPeer() {
    assertThat(admitted(limit, "a", 1_000)).isEqualTo(LogLimit.LINES);
    assertThat(admitted(limit, "b", 3)).as("another cause has its own").isEqualTo(3);
    nanos += MINUTE - 1;
    assertThat(admitted(limit, "a", 1_000)).isZero();
    nanos++;
    assertThat(admitted(limit, "a", 1_000)).isEqualTo(LogLimit.LINES);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void noMinuteHasMore(long seed) {
    Random random = new Random(seed);
    List<Long> written = new ArrayList<>();
    long passed = 0;
    for (int i = 0; i < 20_000; i++) {
      long step = random.nextLong(MINUTE / 100);
      nanos += step;
      passed += step;
      if (limit.admit("a") != null) {
        written.add(passed);
      }
    }
    assertThat(written).hasSizeGreaterThan(100);
    for (int i = LogLimit.LINES; i < written.size(); i++) {
      assertThat(written.get(i) - written.get(i - LogLimit.LINES)).isGreaterThanOrEqualTo(MINUTE);
    }
  }

  @Test
  void linesSayHowManyWereLeftOut() {
    for (int i = 1; i < LogLimit.LINES; i++) {
      assertThat(limit.admit("a")).isEmpty();
    }
    assertThat(limit.admit("a"))
        .contains("further lines like this are left out, 10 are written in 60 s");
    assertThat(admitted(limit, "a", 17)).isZero();
    nanos += MINUTE;
    assertThat(limit.admit("a")).isEqualTo(" (17 lines like this were left out)");
    assertThat(limit.admit("a")).isEmpty();
    assertThat(limit.leftOut()).isEqualTo(17);
  }

  @Test
  void inventedPeersAreBoundedTogetherAndInMemory() {
    int lines = 0;
    for (int i = 0; i < 10 * LogLimit.MAX_KEYS; i++) {
      lines += limit.admit("peer " + i) == null ? 0 : 1;
    }
    assertThat(lines).isEqualTo(LogLimit.MAX_LINES_OF_ALL);
    nanos += MINUTE;
    long forgotten = 9L * LogLimit.MAX_KEYS + 1 - LogLimit.MAX_LINES_OF_ALL;
    assertThat(limit.admit("new"))
        .isEqualTo(" (" + forgotten + " lines about others were left out)");
  }

  @Test
  void oneLineForALongTime() {
    LogLimit rare = new LogLimit(() -> nanos, 1, 600);
    assertThat(admitted(rare, "a", 50)).isEqualTo(1);
    nanos += 10 * MINUTE;
    assertThat(rare.admit("a")).contains("(49 lines like this were left out)");
  }

  @Test
  void boundsThatBoundNothingAreRefused() {
    assertThatThrownBy(() -> new LogLimit(() -> nanos, 0, 60))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LogLimit(() -> nanos, 101, 60))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new LogLimit(() -> nanos, 1, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
