package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.Frames;
import org.junit.jupiter.api.Test;

/** Hosts come to an end, ports keep room for hosts, and addresses that two hosts have show. */
class HostAgesTest extends HostTrackerFixture {
  private static final long TICK = HostAges.USUAL_AGE_MILLIS / 30;

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
    passWithTicks(HostAges.USUAL_AGE_MILLIS);
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
    passWithTicks(5 * HostAges.USUAL_AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
    assertThat(first.packetOuts).as("not asked in every tick").hasSizeLessThan(6);
  }

  private long seen() {
    return changes.stream().filter(change -> change instanceof HostChange.See).count();
  }

  /** A host that is heard all the time costs one change in a while, a silent one none. */
  @Test
  void timeWhenAHostWasLastSeenIsWrittenOnceInAWhile() {
    send(first, firstNode, 1, request());
    assertThat(seen()).isEqualTo(1);
    for (long passed = 0; passed < 4 * HostAges.USUAL_AGE_MILLIS; passed += TICK) {
      send(first, firstNode, 1, request());
      passWithTicks(TICK);
    }
    assertThat(seen()).isBetween(3L, 5L);
    long before = seen();
    passWithTicks(HostAges.USUAL_AGE_MILLIS);
    assertThat(seen()).isLessThanOrEqualTo(before + 1);
  }

  @Test
  void hostsOfAnEarlierReleaseAreTakenOverByTheOwnerOfTheirSwitch() {
    for (int i = 0; i < HostChange.MAX_HOSTS + 5; i++) {
      oldHosts.put(new HostKey(HOST + i, -1), HostRecord.at(OLD, 5));
    }
    oldHosts.put(new HostKey(HOST - 1, -1), HostRecord.at(NEW, 6));
    time.execute(firstNode::settle);
    assertThat(hosts).hasSize(HostChange.MAX_HOSTS);
    assertThat(hosts.values()).allMatch(host -> host.location().equals(OLD));
    time.execute(firstNode::settle);
    time.execute(secondNode::settle);
    assertThat(oldHosts).isEmpty();
    assertThat(hosts).hasSize(HostChange.MAX_HOSTS + 6);
    assertThat(firstNode.counters().of(HostCounters.Event.ADOPTED))
        .isEqualTo(HostChange.MAX_HOSTS + 5);
    int before = writes;
    time.execute(firstNode::settle);
    assertThat(writes).as("nothing is left").isEqualTo(before);
  }

  @Test
  void portForWhichTheStoreHasNoRoomIsNotAskedForAgainForASecond() {
    for (int i = 0; i < HostEntities.MAX_HOSTS_AT_PORT; i++) {
      stored.hosts.put(new HostKey(HOST + 100 + i, -1), HostRecord.at(OLD, 0));
    }
    viewIsEmpty = true;
    for (int i = 1; i <= 50; i++) {
      send(first, firstNode, 1, plain(HOST + i));
    }
    assertThat(writes).isEqualTo(1);
    assertThat(firstNode.counters().of(HostCounters.Event.NO_ROOM)).isEqualTo(50);
    send(first, firstNode, 2, plain(HOST + 60));
    assertThat(writes).as("another port").isEqualTo(2);
    time.pass(FullPorts.PAUSE_MILLIS);
    send(first, firstNode, 1, plain(HOST + 70));
    assertThat(writes).isEqualTo(3);
  }

  @Test
  void silentHostWithoutAddressesMustShowItself() {
    send(first, firstNode, 1, plain(HOST));
    passWithTicks(HostAges.USUAL_AGE_MILLIS + TICK);
    assertThat(shown).containsExactly(OLD);
    send(first, firstNode, 1, plain(HOST));
    passWithTicks(HostAges.USUAL_AGE_MILLIS - TICK);
    assertThat(hosts).containsOnlyKeys(KEY);
    passWithTicks((HostAges.PROBES + 3) * TICK);
    assertThat(hosts).isEmpty();
  }

  @Test
  void hostOfASwitchInNoDomainIsRemovedAfterItsAge() {
    send(first, firstNode, 1, request());
    withoutDomain.add(1L);
    passWithTicks(HostAges.USUAL_AGE_MILLIS);
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
    passWithTicks(HostAges.USUAL_AGE_MILLIS);
    withoutDomain.clear();
    hostAnswersAtOldPlace = true;
    passWithTicks(2 * HostAges.USUAL_AGE_MILLIS);
    assertThat(hosts).containsOnlyKeys(KEY);
  }

  @Test
  void fullPortHasRoomAgainWhenItsHostsAgedOut() {
    for (int i = 1; i <= HostTracker.MAX_HOSTS_PER_PORT + 10; i++) {
      send(first, firstNode, 1, plain(HOST + i));
    }
    assertThat(hosts).hasSize(HostTracker.MAX_HOSTS_PER_PORT);
    assertThat(firstNode.counters().of(HostCounters.Event.OVER_PORT_LIMIT)).isEqualTo(10);
    passWithTicks(HostAges.USUAL_AGE_MILLIS + (2 * HostAges.PROBES + 5) * TICK);
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
