package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.packet.Frames;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Whether the hosts at a port for which a link is claimed are awake. */
class PortSilenceTest extends HostTrackerFixture {

  /** How long it takes until the port's hosts are gone; -1 where they are awake all the time. */
  private long silentAfterMillis(long patienceMillis) {
    for (long waited = 0; waited <= patienceMillis; waited += 250) {
      if (!firstNode.isHostAwake(OLD, null)) {
        return waited;
      }
      time.pass(250);
    }
    return -1;
  }

  @Test
  void portWithoutHostsIsSilent() {
    assertThat(silentAfterMillis(0)).isZero();
    assertThat(first.packetOuts).isEmpty();
  }

  @Test
  void hostThatAnswersStaysAwakeAndIsNotFloodedWithQuestions() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    hostAnswersAtOldPlace = true;
    assertThat(silentAfterMillis(60_000)).isEqualTo(-1);
    assertThat(hosts).containsKey(KEY);
    assertThat(first.packetOuts).hasSizeBetween(12, 40);
  }

  @Test
  void hostThatDoesNotAnswerIsRemoved() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    assertThat(silentAfterMillis(10_000)).isBetween(1_500L, 2_500L);
    assertThat(hosts).isEmpty();
    assertThat(first.packetOuts).hasSize(PortSilence.ASKS);
  }

  @Test
  void hostsOfASwitchThatIsNotConnectedAreNotSilent() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    Objects.requireNonNull(masteries.get(1L)).suspend(first);
    assertThat(silentAfterMillis(20_000)).isEqualTo(-1);
    assertThat(hosts).containsKey(KEY);
  }

  @Test
  void hostWithoutAddressesHasTenSeconds() {
    send(first, firstNode, 1, plain(HOST));
    time.pass(1_000);
    assertThat(silentAfterMillis(20_000)).isBetween(10_000L, 10_500L);
    assertThat(shown).as("flow entries must not hide it").contains(OLD);
  }

  @Test
  void oneHostThatSpeaksKeepsItsPort() {
    send(first, firstNode, 1, request());
    send(first, firstNode, 1, plain(HOST + 1));
    for (int i = 0; i < 60; i++) {
      time.pass(1_000);
      send(first, firstNode, 1, plain(HOST + 1));
      assertThat(firstNode.isHostAwake(OLD, null)).isTrue();
    }
    assertThat(hosts).hasSize(2);
  }

  @Test
  void hostThatWasHeardOnlyBeforeThePortCameUpIsUnplugged() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    long cameUpNanos = time.nanos();
    hostAnswersAtOldPlace = true;
    time.pass(10);
    firstNode.isHostAwake(OLD, cameUpNanos);
    assertThat(firstNode.isHostAwake(OLD, cameUpNanos)).isFalse();
    assertThat(hosts).isEmpty();
    send(first, firstNode, 1, request());
    time.pass(10);
    send(first, firstNode, 1, request());
    assertThat(firstNode.isHostAwake(OLD, cameUpNanos)).as("heard since").isTrue();
    assertThat(hosts).containsKey(KEY);
  }

  @Test
  void hostsOfAnotherNodesPortAreLeftToIt() {
    send(first, firstNode, 1, request());
    for (int i = 0; i < 100; i++) {
      time.pass(250);
      assertThat(secondNode.isHostAwake(OLD, null)).isTrue();
    }
    assertThat(hosts).containsKey(KEY);
    assertThat(silentAfterMillis(5_000)).isPositive();
    assertThat(secondNode.isHostAwake(OLD, null)).isFalse();
  }

  @Test
  void hostsAtAPortThatGotALinkAreRemovedEvenWhereAWriteIsLost() {
    for (int i = 0; i < 1_000; i++) {
      send(first, firstNode, 1, Frames.ethernet(2, HOST + i, 0x0800));
      time.pass(1);
    }
    storeIsSlow = true;
    firstNode.linkChanged(OLD, true);
    assertThat(hosts).hasSize(1_000);
    storeIsSlow = false;
    for (int i = 0; i < 3; i++) {
      time.pass(HostTracker.SETTLE_MILLIS);
      firstNode.settle();
    }
    assertThat(hosts).isEmpty();
  }

  @Test
  void portThatLostItsLinkMayHaveHostsAgain() {
    firstNode.linkChanged(OLD, true);
    firstNode.linkChanged(OLD, false);
    send(first, firstNode, 1, request());
    time.pass(TimeUnit.MINUTES.toMillis(1));
    firstNode.tick();
    assertThat(hosts).containsKey(KEY);
  }
}
