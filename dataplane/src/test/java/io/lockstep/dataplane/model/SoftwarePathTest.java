package io.lockstep.dataplane.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.profile.SoftwareProfile;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SoftwarePathTest {
  private static final long MILLI = 1_000_000;

  /** A token each millisecond, 3 in the bucket, 2 places to wait, 500 us behind. */
  private final SoftwarePath path =
      new SoftwarePath(new SoftwareProfile(1000, 2000, 3, 2, 500, 100));

  private List<Long> burst(int packets, long nowNanos) {
    List<Long> micros = new ArrayList<>();
    for (int i = 0; i < packets; i++) {
      long due = path.admit(nowNanos);
      micros.add(due == SoftwarePath.DROPPED ? -1 : (due - nowNanos) / 1000);
    }
    return micros;
  }

  @Test
  void aBurstTakesTheTokensThenWaitsThenIsDropped() {
    assertThat(burst(7, 0)).containsExactly(500L, 500L, 500L, 1500L, 2500L, -1L, -1L);
    assertThat(path.packets()).isEqualTo(5);
    assertThat(path.drops()).isEqualTo(2);
    assertThat(path.cpuMicros()).isEqualTo(500);
  }

  @Test
  void tokensComeBackUpToTheBucket() {
    burst(7, 0);
    assertThat(burst(2, 2 * MILLI)).as("two came meanwhile").containsExactly(1500L, 2500L);
    assertThat(burst(5, 1000 * MILLI)).containsExactly(500L, 500L, 500L, 1500L, 2500L);
  }

  @Test
  void neverMoreThanTheRateAndTheBucketAndInOrder() {
    Random random = new Random(3);
    long now = 0;
    long last = 0;
    long admitted = 0;
    for (int i = 0; i < 100_000; i++) {
      now += random.nextInt(10) == 0 ? random.nextInt(20_000_000) : random.nextInt(300_000);
      long due = path.admit(now);
      if (due != SoftwarePath.DROPPED) {
        admitted++;
        assertThat(due).isGreaterThanOrEqualTo(last);
        last = due;
        assertThat(admitted).isLessThanOrEqualTo(3 + 2 + now / MILLI);
      }
    }
    assertThat(admitted).isGreaterThan(20_000);
  }

  @Test
  void theRateCanBeSetUpToItsBound() {
    path.setRate(2000);
    assertThat(burst(5, 0)).containsExactly(500L, 500L, 500L, 1000L, 1500L);
    assertThat(path.packetsPerSecond()).isEqualTo(2000);
    assertThatThrownBy(() -> path.setRate(2001)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> path.setRate(0)).isInstanceOf(IllegalArgumentException.class);
  }
}
