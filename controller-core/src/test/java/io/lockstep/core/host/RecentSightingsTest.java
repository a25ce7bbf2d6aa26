package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.host.RecentSightings.Outcome;
import io.lockstep.core.host.RecentSightings.Sighted;
import io.lockstep.core.link.SwitchPort;
import org.junit.jupiter.api.Test;

class RecentSightingsTest {
  private static final long REPEAT = 100;

  private final RecentSightings recent = new RecentSightings(REPEAT, 0);

  private static HostSighting host(long mac, long port) {
    return HostSighting.of(new HostKey(mac, -1), new SwitchPort(1, port));
  }

  private Outcome add(long mac, long port, long nowNanos) {
    return recent.add(host(mac, port), null, nowNanos);
  }

  @Test
  void packetDoesNotHideTheAddressThatTheHostClaimsJustAfter() {
    HostSighting plain = host(1, 1);
    HostSighting probing = new HostSighting(plain.host(), plain.place(), 0, null, true);
    HostSighting claiming = new HostSighting(plain.host(), plain.place(), 7, null, true);
    assertThat(recent.add(plain, null, 0)).isEqualTo(Outcome.FIRST);
    assertThat(recent.add(probing, null, 1)).isEqualTo(Outcome.REPEATED);
    assertThat(recent.add(claiming, null, 2)).isEqualTo(Outcome.MERGED);
    assertThat(recent.add(claiming, null, 3)).isEqualTo(Outcome.REPEATED);
    assertThat(recent.add(plain, null, REPEAT)).isEqualTo(Outcome.REPEATED);
  }

  @Test
  void hostIsHandedOverOnceInAWhile() {
    assertThat(add(1, 1, 0)).isEqualTo(Outcome.FIRST);
    assertThat(add(1, 1, REPEAT - 1)).isEqualTo(Outcome.REPEATED);
    assertThat(add(1, 1, REPEAT)).isEqualTo(Outcome.MERGED);
    assertThat(recent.take()).hasSize(2);
    assertThat(recent.take()).isEmpty();
  }

  @Test
  void oneTaskServesAllThatWait() {
    assertThat(add(1, 1, 0)).isEqualTo(Outcome.FIRST);
    assertThat(add(2, 1, 0)).isEqualTo(Outcome.MERGED);
    assertThat(recent.object(host(3, 1))).isEqualTo(Outcome.MERGED);
    assertThat(recent.take())
        .extracting(Sighted::sighting)
        .as("objections first")
        .containsExactly(host(3, 1), host(1, 1), host(2, 1));
    assertThat(recent.object(host(3, 1))).isEqualTo(Outcome.FIRST);
  }

  @Test
  void floodAtOnePortLeavesPlacesToOthersAndToObjections() {
    long mac = 1;
    while (add(mac, 1, 0) != Outcome.DROPPED) {
      mac++;
    }
    assertThat(mac).isLessThanOrEqualTo(RecentSightings.MAX_WAITING / 2 + 1);
    assertThat(add(0, 2, 0)).isEqualTo(Outcome.MERGED);
    assertThat(recent.object(host(mac, 1))).isEqualTo(Outcome.MERGED);
  }

  @Test
  void objectionsAreBoundedByOneOfEachHost() {
    for (int i = 0; i < 3 * RecentSightings.MAX_OBJECTIONS; i++) {
      recent.object(host(i % RecentSightings.MAX_OBJECTIONS, 1));
    }
    assertThat(recent.object(host(-1, 1))).isEqualTo(Outcome.DROPPED);
    assertThat(recent.take()).hasSize(RecentSightings.MAX_OBJECTIONS);
    assertThat(recent.object(host(-1, 1))).isEqualTo(Outcome.FIRST);
  }

  @Test
  void inventedHostsAreForgottenAfterAWhileAndLeaveRoomToOtherPorts() {
    long mac = 1;
    while (add(mac, 1, 0) != Outcome.DROPPED) {
      mac++;
      recent.take();
    }
    assertThat(mac).isLessThanOrEqualTo(RecentSightings.MAX_REMEMBERED / 2 + 1);
    assertThat(add(0, 2, 1)).isEqualTo(Outcome.FIRST);
    assertThat(add(mac, 1, REPEAT)).isEqualTo(Outcome.MERGED);
  }
}
