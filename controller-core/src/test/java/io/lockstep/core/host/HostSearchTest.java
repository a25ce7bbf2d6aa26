package io.lockstep.core.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.FrameView;
import io.lockstep.core.packet.Frames;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** A host that moved is found though it says nothing, and all switches hear of its move. */
class HostSearchTest extends HostTrackerFixture {

  private void unplug() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    gone.add(OLD);
  }

  @Test
  void moveIsToldAsIfTheHostHadBroadcast() {
    unplug();
    send(second, secondNode, 1, request());
    assertThat(again).hasSize(1);
    FrameView told = again.get(0);
    assertThat(told.dpid()).isEqualTo(2);
    assertThat(told.inPort().toLong()).isEqualTo(1);
    assertThat(told.sourceNumber()).isEqualTo(HOST);
    assertThat(told.destination().isBroadcast()).isTrue();
    assertThat(told.etherType()).as("802.3, so no protocol of a host").isEqualTo(6);
    time.pass(60_000);
    assertThat(again).hasSize(1);
  }

  @Test
  void moveOfATaggedHostIsToldInItsVlan() {
    send(first, firstNode, 1, tagged(request(), 5));
    time.pass(1_000);
    gone.add(OLD);
    send(second, secondNode, 1, tagged(request(), 5));
    assertThat(again).hasSize(1);
    assertThat(again.get(0).vlanId()).isEqualTo(5);
  }

  @Test
  void newHostIsNotTold() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    assertThat(again).isEmpty();
  }

  @Test
  void silentHostIsFoundWhereAPortOpens() {
    unplug();
    hostAnswersAtOldPlace = true; // port 1 of whichever switch is asked
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
    assertThat(again).as("told to all switches").hasSize(1);
  }

  @Test
  void hostOfASwitchThatNoNodeCanAskIsAskedForWhereAPortOpens() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    masters.remove(1L);
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(second.packetOuts).hasSize(1);
  }

  @Test
  void silentHostIsAskedAgainWhereTheFirstQuestionWasLost() {
    unplug();
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(second.packetOuts).hasSize(1);
    hostAnswersAtOldPlace = true;
    time.pass(HostSearch.REPEAT_MILLIS);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void silentHostIsFoundWhereItsOldPortIsKnownToBeGoneOnlyLater() {
    send(first, firstNode, 1, request());
    time.pass(1_000);
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(second.packetOuts).isEmpty();
    gone.add(OLD);
    hostAnswersAtOldPlace = true;
    time.pass(HostSearch.REPEAT_MILLIS);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void silentHostThatClaimedNoAddressIsAskedForTheOneItsPacketsShow() {
    send(first, firstNode, 1, forwarded(IP));
    time.pass(1_000);
    gone.add(OLD);
    hostAnswersAtOldPlace = true;
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(host().location()).isEqualTo(NEW);
  }

  @Test
  void portThatIsNoEdgeAnyMoreIsNotAsked() {
    unplug();
    secondNode.edgeOpened(NEW);
    gone.add(NEW);
    time.pass(60_000);
    assertThat(second.packetOuts).isEmpty();
  }

  @Test
  void portThatOpensOftenMakesNoMoreQuestionsThanAPortCan() {
    unplug();
    for (int i = 0; i < 10 * HostSearch.MAX_PORTS; i++) {
      secondNode.edgeOpened(NEW);
      time.pass(2);
    }
    time.pass(60_000);
    assertThat(second.packetOuts.size()).isLessThanOrEqualTo(60 * HostSearch.LOOKS);
    secondNode.edgeOpened(NEW);
    time.pass(HostSearch.DELAY_MILLIS + 10);
    assertThat(second.packetOuts).as("and it is asked again").isNotEmpty();
  }

  @Test
  void onlyHostsThatLostTheirPlaceAreAskedFor() {
    send(first, firstNode, 1, request());
    secondNode.edgeOpened(NEW);
    time.pass(1_000);
    assertThat(second.packetOuts).isEmpty();
    gone.add(OLD);
    firstNode.edgeOpened(NEW);
    time.pass(1_000);
    assertThat(first.packetOuts).as("another node's port").isEmpty();
  }

  @Test
  void questionsAreBoundedHoweverManyHostsAreLost() {
    for (int i = 0; i < 500; i++) {
      send(first, firstNode, 1, Frames.arp(1, HOST + i, IP + i, 0, 0x0a00_0002));
      time.pass(1);
    }
    gone.add(OLD);
    for (int i = 0; i < 10; i++) {
      secondNode.edgeOpened(NEW);
      secondNode.edgeOpened(new SwitchPort(2, 2));
    }
    time.pass(60_000);
    assertThat(second.packetOuts).hasSize(2 * HostSearch.MAX_HOSTS * HostSearch.LOOKS);
  }

  @Test
  void announcementIsWhatAccessPointsSend() {
    byte[] expected = {0, 6, 0, 1, (byte) 0xaf, (byte) 0x81, 1, 0};
    assertThat(Arrays.copyOfRange(HostProbe.announcement(HOST, -1), 12, 20)).isEqualTo(expected);
  }
}
