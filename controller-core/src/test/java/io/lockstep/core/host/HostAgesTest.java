package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.Frames;
import org.junit.jupiter.api.Test;

/** Hosts come to an end, ports keep room for hosts, and addresses that two hosts have show. */
class HostAgesTest extends HostTrackerFixture {
  private static final long TICK = HostTracker.TICK_MILLIS;

  /** Lets time pass with the ticks of both nodes. */
  private void passWithTicks(long millis) {
    for (long passed = 0; passed < millis; passed += TICK) {
      time.pass(TICK);
      nodes.forEach(node -> time.execute(node::tick));
    }
  }

  @Test
  void silentHostIsAskedAndThenRemoved() {
    send(first, firstNode, 1, request());
    passWithTicks(HostAges.AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
    passWithTicks(HostAges.PROBES * TICK);
    assertThat(first.packetOuts).as("asked at its port").hasSize(HostAges.PROBES);
    passWithTicks(2 * TICK);
    assertThat(hosts).isEmpty();
    assertThat(firstNode.counters().of(HostCounters.Event.AGED_OUT)).isEqualTo(1);
    assertThat(second.packetOuts).as("another node's host").isEmpty();
  }

  @Test
  void silentHostThatAnswersStays() {
    send(first, firstNode, 1, request());
    hostAnswersAtOldPlace = true;
    passWithTicks(5 * HostAges.AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
    assertThat(first.packetOuts).as("not asked in every tick").hasSizeLessThan(6);
  }

  @Test
  void silentHostWithoutAddressesMustShowItself() {
    send(first, firstNode, 1, plain(HOST));
    passWithTicks(HostAges.AGE_MILLIS + TICK);
    assertThat(shown).containsExactly(OLD);
    send(first, firstNode, 1, plain(HOST));
    passWithTicks(HostAges.AGE_MILLIS - TICK);
    assertThat(hosts).containsOnlyKeys(KEY);
    passWithTicks((HostAges.PROBES + 3) * TICK);
    assertThat(hosts).isEmpty();
  }

  @Test
  void hostOfASwitchInNoDomainIsRemovedAfterItsAge() {
    send(first, firstNode, 1, request());
    withoutDomain.add(1L);
    passWithTicks(HostAges.AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
    passWithTicks((HostAges.PROBES + 2) * TICK);
    assertThat(hosts).isEmpty();
    assertThat(secondNode.counters().of(HostCounters.Event.AGED_OUT)).isEqualTo(1);
    assertThat(firstNode.counters().of(HostCounters.Event.AGED_OUT)).isZero();
  }

  @Test
  void hostOfASwitchThatIsInADomainAgainStays() {
    send(first, firstNode, 1, request());
    withoutDomain.add(1L);
    passWithTicks(HostAges.AGE_MILLIS);
    withoutDomain.clear();
    hostAnswersAtOldPlace = true;
    passWithTicks(2 * HostAges.AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
  }

  @Test
  void fullPortHasRoomAgainWhenItsHostsAgedOut() {
    for (int i = 1; i <= HostTracker.MAX_HOSTS_PER_PORT + 10; i++) {
      send(first, firstNode, 1, plain(HOST + i));
    }
    assertThat(hosts).hasSize(HostTracker.MAX_HOSTS_PER_PORT);
    assertThat(firstNode.counters().of(HostCounters.Event.OVER_PORT_LIMIT)).isEqualTo(10);
    passWithTicks(HostAges.AGE_MILLIS + (2 * HostAges.PROBES + 5) * TICK);
    assertThat(hosts).isEmpty();
    send(first, firstNode, 1, request());
    assertThat(hosts).containsOnlyKeys(KEY);
  }

  @Test
  void hostsOnTheirWayToTheStoreTakeRoomAtTheirPort() {
    storeIsSlow = true;
    for (int i = 1; i <= 2 * HostTracker.MAX_HOSTS_PER_PORT; i++) {
      send(first, firstNode, 1, plain(HOST + i));
    }
    assertThat(writes).isEqualTo(HostTracker.MAX_HOSTS_PER_PORT);
  }

  /** A router sends packets with the addresses of the hosts behind it. */
  @Test
  void addressThatOneHostClaimsAndAnotherForwardsForIsNotReported() {
    send(first, firstNode, 1, forwarded(IP));
    send(first, firstNode, 2, Frames.arp(1, HOST + 1, IP, 0, 0x0a00_0002));
    assertThat(firstNode.counters().of(HostCounters.Event.IP_CONFLICT)).isZero();
  }

  @Test
  void addressThatTwoHostsHaveIsReported() {
    send(first, firstNode, 1, request());
    assertThat(firstNode.counters().of(HostCounters.Event.IP_CONFLICT)).isZero();
    send(first, firstNode, 2, Frames.arp(1, HOST + 1, IP, 0, 0x0a00_0002));
    assertThat(firstNode.counters().of(HostCounters.Event.IP_CONFLICT)).isEqualTo(1);
    send(first, firstNode, 2, Frames.arp(1, HOST + 1, IP, 0, 0x0a00_0002));
    assertThat(firstNode.counters().of(HostCounters.Event.IP_CONFLICT))
        .as("once for each host")
        .isEqualTo(1);
  }
}
