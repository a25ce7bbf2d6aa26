package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.host.RecentSightings.Outcome;
import org.junit.jupiter.api.Test;

class RecentSightingsTest {
  private static final long REPEAT = 100;

  private final RecentSightings recent = new RecentSightings(REPEAT, 0);

  private static HostKey host(long mac) {
    return new HostKey(mac, -1);
  }

  @Test
  void hostIsHandedOverOnceInAWhileUnlessItIsUrgent() {
    assertThat(recent.add(host(1), false, 0)).isEqualTo(Outcome.HAND_OVER);
    assertThat(recent.add(host(1), false, REPEAT - 1)).isEqualTo(Outcome.REPEATED);
    assertThat(recent.add(host(1), true, REPEAT - 1)).isEqualTo(Outcome.HAND_OVER);
    assertThat(recent.add(host(1), false, 2 * REPEAT)).isEqualTo(Outcome.HAND_OVER);
  }

  @Test
  void urgentSightingsAreBoundedToo() {
    for (int i = 0; i < RecentSightings.MAX_WAITING; i++) {
      assertThat(recent.add(host(1), true, 0)).isEqualTo(Outcome.HAND_OVER);
    }
    assertThat(recent.add(host(1), true, 0)).isEqualTo(Outcome.DROPPED);
    recent.arrived();
    assertThat(recent.add(host(1), true, 0)).isEqualTo(Outcome.HAND_OVER);
  }

  @Test
  void inventedHostsAreForgottenAfterAWhile() {
    for (int mac = 1; mac <= RecentSightings.MAX_REMEMBERED; mac++) {
      recent.add(host(mac), false, 0);
      recent.arrived();
    }
    assertThat(recent.add(host(0), false, 1)).isEqualTo(Outcome.DROPPED);
    assertThat(recent.add(host(0), false, REPEAT)).isEqualTo(Outcome.HAND_OVER);
  }
}
