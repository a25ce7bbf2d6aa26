package io.lockstep.store.log.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class SlowSyncsTest {
  private final List<String> told = new ArrayList<>();
  private long nowNanos = -5;
  private final SlowSyncs syncs = new SlowSyncs(() -> nowNanos, told::add);

  private void sync(long millis) throws IOException {
    syncs.time(() -> later(millis));
  }

  private void later(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void aQuickDiskIsNotMentioned() throws IOException {
    sync(SlowSyncs.SLOW_MILLIS - 1);
    assertThat(told).isEmpty();
  }

  @Test
  void aSlowDiskIsToldAtOnceAndThenNowAndThen() throws IOException {
    sync(300);
    sync(900);
    sync(400);
    assertThat(told).containsExactly("the disk took 300 ms to make bytes durable");
    later(10_000);
    sync(250);
    assertThat(told)
        .hasSize(2)
        .last()
        .isEqualTo("the disk took 250 ms to make bytes durable; 2 more since, up to 900 ms");
  }

  @Test
  void aFailureStaysAFailure() {
    assertThatThrownBy(
            () ->
                syncs.time(
                    () -> {
                      throw new IOException("no such disk");
                    }))
        .hasMessage("no such disk");
    assertThat(told).isEmpty();
  }
}
