package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.Frames;
import io.lockstep.core.state.TableView.Held;
import io.lockstep.core.testing.FakeMasteredSwitches;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Who is believed where a host is seen at two places. */
class HostMovesTest extends HostTrackerFixture {

  @Test
  void moveIsBelievedAtOnceWhereTheOldPortIsGone() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    gone.add(OLD);
    send(second, secondNode, 1, request());
    assertThat(host().location()).isEqualTo(NEW);
    assertThat(host().ips()).containsExactly(IP);
  }

  @Test
  void moveIsBelievedWhereTheOldPlaceIsSilent() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(first.packetOuts).as("its old master asks there").hasSize(1);
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
    assertThat(moves).isEmpty();
  }

  @Test
  void hostThatAnswersAtItsOldPlaceIsNotHijacked() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    for (int i = 0; i < 50; i++) {
      send(second, secondNode, 1, request());
      time.pass(100);
    }
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  /** Two places claim the host at once; the later claim stands in the store. */
  @Test
  void claimOfAnotherPlaceDoesNotMoveTheHostToThisOne() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    SwitchPort third = new SwitchPort(1, 2);
    moves.put(KEY, host().movedTo(third, time.millis()));
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).containsKey(KEY);
    assertThat(again).isEmpty();
  }

  /** The node that claims is behind the store: it has not seen yet that the host objected. */
  @Test
  void claimThatWasWithdrawnInTheStoreDoesNotBecomeAMove() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    oldClaim = new Held<>(Objects.requireNonNull(moves.get(KEY)), index());
    send(first, firstNode, 1, request());
    assertThat(moves).as("withdrawn").isEmpty();
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(again).isEmpty();
  }

  /** A host answers once for each probe: its answer must not be lost with a refused write. */
  @Test
  void withdrawalThatIsRefusedIsMadeAgain() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    refusals.put(1L, 5);
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  @Test
  void claimThatIsRefusedLeavesRoomForTheNext() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    refusals.put(2L, 1);
    send(second, secondNode, 1, request());
    time.pass(HostTracker.REPEAT_MILLIS);
    assertThat(moves).isEmpty();
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
  }

  /** While a node's switches wait for their next master, their hosts cannot object. */
  @Test
  void hostIsNotHijackedWhileItsSwitchHasNoMaster() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    masters.remove(1L);
    nodes.remove(firstNode);
    send(second, secondNode, 1, request());
    time.pass(3_000);
    assertThat(host().location()).as("no node could ask").isEqualTo(OLD);
    masters.put(1L, 7L);
    nodes.add(firstNode);
    time.pass(3_000);
    assertThat(host().location()).as("its next master asks").isEqualTo(OLD);
    assertThat(moves).isEmpty();
    assertThat(again).isEmpty();
  }

  /** The switch's master is connected, but has the role a moment later than the claim. */
  @Test
  void hostIsAskedAsSoonAsItsMasterHasTheSwitch() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    FakeMasteredSwitches mastery = Objects.requireNonNull(masteries.get(1L));
    mastery.suspend(first);
    send(second, secondNode, 1, request());
    time.pass(200);
    assertThat(first.packetOuts).isEmpty();
    mastery.grant(first, 2);
    firstNode.gained(first, 2);
    assertThat(first.packetOuts).hasSize(1);
    time.pass(20_000);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(moves).isEmpty();
  }

  /** A new master asks the hosts of a switch before it has proved which ports are edges. */
  @Test
  void objectionCountsAtAPortThatIsNotProvedYet() {
    SwitchPort unproved = new SwitchPort(1, 3);
    hosts.put(KEY, new HostRecord(unproved, List.of(IP), List.of(), 0, null, 0));
    first.onPacketOut =
        out -> send(first, firstNode, 3, Frames.arp(2, HOST, IP, HostProbe.SENDER, 0));
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(unproved);
    assertThat(moves).isEmpty();
  }

  @Test
  void routerThatClaimsNoAddressIsNotAskedForThoseOfOthers() {
    send(first, firstNode, 1, forwarded(IP));
    time.pass(1_000);
    send(second, secondNode, 1, plain(HOST));
    assertThat(first.packetOuts).isEmpty();
    assertThat(shown).as("flow entries must not hide it").containsExactly(OLD);
    time.pass(HostTracker.SILENCE_MILLIS - 100);
    assertThat(host().location()).isEqualTo(OLD);
    time.pass(200);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void hostIsMovedInTheEndWhereItsSwitchHasNoMaster() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    masters.remove(1L);
    nodes.remove(firstNode);
    send(second, secondNode, 1, request());
    time.pass(HostTracker.SILENCE_MILLIS - 100);
    assertThat(host().location()).isEqualTo(OLD);
    time.pass(HostTracker.VERIFY_MILLIS);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void portThatClaimsAllHostsLeavesRoomForOthers() {
    int many = 2 * HostMoves.MAX_CLAIMS_AT_PORT;
    for (int i = 1; i <= many; i++) {
      send(second, secondNode, 1, Frames.arp(1, HOST + i, IP + i, 0, 1));
    }
    send(second, secondNode, 1, request());
    time.pass(1_000);
    for (int i = 1; i <= many; i++) {
      send(first, firstNode, 1, Frames.arp(1, HOST + i, IP + i, 0, 1));
    }
    assertThat(moves.size()).isEqualTo(HostMoves.MAX_CLAIMS_AT_PORT);
    send(first, firstNode, 2, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(new SwitchPort(1, 2));
    for (int i = 1; i <= many; i++) {
      send(first, firstNode, 1, Frames.arp(1, HOST + i, IP + i, 0, 1));
    }
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(hosts.values().stream().filter(one -> one.location().equals(NEW)).count())
        .as("later")
        .isZero();
  }

  /** Else two ports together could give one of them hosts without bound. */
  @Test
  void moveToAPortThatIsFullRemovesTheHost() {
    for (int i = 1; i <= HostTracker.MAX_HOSTS_PER_PORT; i++) {
      hosts.put(new HostKey(HOST + i, -1), HostRecord.at(NEW, 0));
    }
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(hosts).hasSize(HostTracker.MAX_HOSTS_PER_PORT).doesNotContainKey(KEY);
    assertThat(moves).isEmpty();
    assertThat(secondNode.counters().of(HostCounters.Event.OVER_PORT_LIMIT)).isPositive();
    assertThat(isDisputed(second, secondNode, 1, request())).as("it is nowhere else").isFalse();
  }

  @Test
  void packetsOfADisputedMoveAreMarkedUntilTheMoveIsBelieved() {
    assertThat(isDisputed(first, firstNode, 1, request())).as("a new host").isFalse();
    time.pass(1_000);
    assertThat(isDisputed(second, secondNode, 1, request())).isTrue();
    assertThat(isDisputed(first, firstNode, 1, request())).as("the true host").isFalse();
    assertThat(isDisputed(second, secondNode, 3, request())).as("between switches").isFalse();
    gone.add(OLD);
    assertThat(isDisputed(second, secondNode, 1, request())).as("left its port").isFalse();
  }

  @Test
  void packetThatLedToAMoveIsDecidedOnAgainWhenTheMoveIsBelieved() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    send(second, secondNode, 1, request());
    assertThat(again).isEmpty();
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(again).extracting(FrameView::frame).endsWith(request()).hasSize(2);
    assertThat(isDisputed(second, secondNode, 1, request())).isFalse();
  }

  @Test
  void packetOfAnAttackerIsNeverDecidedOnAgain() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    for (int i = 0; i < 50; i++) {
      assertThat(isDisputed(second, secondNode, 1, request())).isTrue();
      time.pass(300);
    }
    assertThat(again).isEmpty();
  }

  @Test
  void hostWithIpv6AloneIsAskedByNeighbourSolicitation() {
    send(first, firstNode, 1, advertisement(IP6));
    assertThat(host().ip6s()).containsExactly(IP6);
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    send(second, secondNode, 1, plain(HOST));
    byte[] probe = first.packetOuts.get(0).data();
    assertThat(ByteBuffer.wrap(probe).getShort(12)).isEqualTo((short) 0x86dd);
    assertThat(probe[54]).as("neighbour solicitation").isEqualTo((byte) 135);
    assertThat(Arrays.copyOfRange(probe, 62, 78)).isEqualTo(IP6.bytes());
    assertThat(onesComplementSum(probe)).as("with pseudo-header").isEqualTo(0xffff);
    time.pass(20_000);
    assertThat(host().location()).isEqualTo(OLD);
    hostAnswersAtOldPlace = false;
    send(second, secondNode, 1, plain(HOST));
    time.pass(HostTracker.VERIFY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
  }

  /**
   * Of source, destination, length, next header and message: 0xffff where the checksum is right.
   */
  private static int onesComplementSum(byte[] frame) {
    ByteBuffer from = ByteBuffer.wrap(frame);
    int sum = from.getShort(18) + 58;
    for (int at = 22; at < frame.length; at += 2) {
      sum += from.getShort(at) & 0xffff;
    }
    while (sum > 0xffff) {
      sum = (sum & 0xffff) + (sum >>> 16);
    }
    return sum;
  }

  @Test
  void hostWithoutAddressesIsMovedAfterTenSecondsOfSilence() {
    send(first, firstNode, 1, plain(HOST));
    time.pass(1_000);
    assertThat(isDisputed(second, secondNode, 1, plain(HOST))).isTrue();
    assertThat(shown).as("flow entries must not hide it").containsExactly(OLD);
    time.pass(9_900);
    assertThat(host().location()).isEqualTo(OLD);
    time.pass(200);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void hostWithoutAddressesThatSpeaksWithinTenSecondsIsNotMoved() {
    send(first, firstNode, 1, plain(HOST));
    for (int i = 0; i < 20; i++) {
      time.pass(2_500);
      assertThat(isDisputed(second, secondNode, 1, plain(HOST))).isTrue();
      time.pass(2_500);
      send(first, firstNode, 1, plain(HOST));
    }
    assertThat(host().location()).isEqualTo(OLD);
  }

  @Test
  void addressInAnotherVlanIsAnotherHost() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    assertThat(isDisputed(second, secondNode, 1, tagged(request(), 5))).isFalse();
    time.pass(2_000);
    assertThat(host().location()).isEqualTo(OLD);
    assertThat(hosts)
        .hasEntrySatisfying(
            new HostKey(HOST, 5), record -> assertThat(record.location()).isEqualTo(NEW));

    // Each of them keeps its place against a claim in its own VLAN.
    hostAnswersAtOldPlace = true;
    assertThat(isDisputed(second, secondNode, 1, request())).isTrue();
    assertThat(isDisputed(first, firstNode, 1, tagged(request(), 5))).isTrue();
    time.pass(400);
    assertThat(host().location()).isEqualTo(OLD);
  }

  @Test
  void priorityTagDoesNotMakeAnotherHost() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    assertThat(isDisputed(second, secondNode, 1, tagged(request(), 0))).isTrue();
    time.pass(2_000);
    assertThat(hosts).containsOnlyKeys(KEY);
    assertThat(host().location()).isEqualTo(OLD);
  }
}
