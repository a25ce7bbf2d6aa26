package io.lockstep.history.nemesis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class VictimsTest {
  /** Whether there is a leader at the moment depends on time; what is drawn next must not. */
  @Test
  void asManyNumbersAreDrawnWithAndWithoutALeader() {
    for (int seed = 0; seed < 50; seed++) {
      Random led = new Random(seed);
      Random leaderless = new Random(seed);
      String with = Victims.one(2, led).name();
      String without = Victims.one(-1, leaderless).name();
      assertThat(with.startsWith("leader")).isEqualTo(without.startsWith("leader"));
      assertThat(led.nextLong()).isEqualTo(leaderless.nextLong());
    }
  }
}
