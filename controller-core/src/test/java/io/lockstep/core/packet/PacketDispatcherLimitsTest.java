package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.ethernet;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;

/** What too many packets, and applications that fail, do to the others. */
class PacketDispatcherLimitsTest extends PacketDispatcherFixture {

  @Test
  void outstandingAsksAreBoundedAndFreedByReplies() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(0, 0, 0, 2));
    mastery.grant(connection, 1);
    for (int i = 0; i < 3; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    assertThat(store.asked).hasSize(2);
    assertThat(dispatcher.counters().of(PacketResult.TOO_MANY_ASKS)).isEqualTo(1);
    store.answer(FOUND);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(store.asked).hasSize(2);
  }

  /** The lease ran out while a question waited to be asked again, and then it was renewed. */
  @Test
  void questionThatIsGivenUpWaitsNoMore() {
    App app = new App("a", packet -> Decision.PASS);
    app.onEvent =
        event ->
            event instanceof NetworkEvent.TreeChanged
                ? new Decision.Ask(ASKED, reply -> forward(2))
                : Decision.PASS;
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(0, 0, 0, 1));
    mastery.grant(connection, 1);
    for (int i = 1; i <= 3; i++) {
      dispatcher.events().pathsChanged(Set.of(1L));
      assertThat(store.asked).hasSize(1);
      store.answer(new Reply.Unknown("no quorum"));
      mastery.setEpoch(connection, 2);
      time.pass(600);
      mastery.setEpoch(connection, 1);
      assertThat(store.asked).isEmpty();
      assertThat(dispatcher.counters().of(PacketResult.STALE)).isEqualTo(i);
    }
    assertThat(dispatcher.counters().of(PacketResult.TOO_MANY_ASKS)).isZero();
  }

  @Test
  void whatAnEventAsksIsGivenUpAfterFortyTries() {
    App app = new App("a", packet -> Decision.PASS);
    app.onEvent =
        event ->
            event instanceof NetworkEvent.TreeChanged
                ? new Decision.Ask(ASKED, reply -> forward(2))
                : Decision.PASS;
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 1);
    dispatcher.events().pathsChanged(Set.of(1L));
    int tries = 0;
    while (!store.asked.isEmpty() && tries < 100) {
      store.answer(new Reply.Unknown("no quorum"));
      tries++;
      time.pass(600);
    }
    assertThat(tries).isEqualTo(40);
    assertThat(dispatcher.counters().of(PacketResult.STORE_UNKNOWN)).isEqualTo(1);
  }

  @Test
  void decisionsOnPacketsAreCountedAndThoseOnEventsAreNot() {
    App app = new App("a", packet -> forward(2));
    app.onEvent =
        event ->
            event instanceof NetworkEvent.TreeChanged
                ? Decision.act(new Instruction.RemoveFlowsTo(port(1)))
                : Decision.PASS;
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 1);
    dispatcher.events().pathsChanged(Set.of(1L));
    assertThat(connection.flowMods).hasSize(1);
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isZero();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(1);
  }

  @Test
  void applicationThatAsksWithoutEndIsStopped() {
    new App("a", packet -> askForever());
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    int answers = 0;
    while (!store.asked.isEmpty()) {
      store.answer(FOUND);
      assertThat(++answers).isLessThan(100);
    }
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
  }

  @Test
  void reportOfAFullPortIsCountedAndThePacketGoesOn() {
    new App("a", packet -> Decision.act(new Instruction.ReportFullPort(), new Instruction.Flood()));
    PacketDispatcher dispatcher = mastering();
    for (int i = 0; i < 3; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    assertThat(dispatcher.counters().of(PacketResult.PORT_FULL)).isEqualTo(3);
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(3);
    assertThat(connection.packetOuts).hasSize(3);
  }

  @Test
  void portThatIsReportedFullIsHeldBackExceptForAddressesWithRoom() {
    byte[] known = FRAME.clone();
    known[11] ^= 1;
    new App(
        "a",
        packet ->
            Arrays.equals(packet.frame(), known)
                ? forward(2)
                : Decision.act(new Instruction.ReportFullPort(), new Instruction.Flood()));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    dispatcher.packetIn(connection, whole(1, known));
    for (int i = 0; i < 2 * FullPort.PER_SECOND; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
      dispatcher.packetIn(connection, whole(1, known));
    }
    assertThat(dispatcher.counters().of(PacketResult.OVER_PORT_QUOTA))
        .isBetween(FullPort.PER_SECOND, 2 * FullPort.PER_SECOND);
    assertThat(connection.packetOuts.stream().filter(out -> out.outPorts().contains(port(2))))
        .as("the known one")
        .hasSizeGreaterThan((int) (2 * FullPort.PER_SECOND));
  }

  @Test
  void eachPortThatIsDownAtATakeOverHasItsEvent() {
    List<NetworkEvent> heard = eventsOfAnApp();
    for (int port = 1; port <= 2 * Lane.PORTS_DOWN; port++) {
      connection.setPort(port, false);
    }
    dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 1);
    time.pass(2_000);
    assertThat(heard).noneMatch(NetworkEvent.TreeChanged.class::isInstance);
    assertThat(heard.stream().filter(NetworkEvent.PortDown.class::isInstance))
        .hasSize(2 * Lane.PORTS_DOWN);
  }

  @Test
  void oneEventReportsVeryManyPortsThatGoDown() {
    List<NetworkEvent> heard = eventsOfAnApp();
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 1);
    heard.clear();
    for (int port = 1; port <= 2 * Lane.PORTS_DOWN; port++) {
      dispatcher.events().portStatus(connection, PortChange.MODIFIED, down(port));
    }
    assertThat(heard).hasSize(Lane.PORTS_DOWN);
    assertThat(heard).allMatch(NetworkEvent.PortDown.class::isInstance);
    time.pass(1_000);
    assertThat(heard).hasSize(Lane.PORTS_DOWN + 1);
    assertThat(heard.get(Lane.PORTS_DOWN)).isInstanceOf(NetworkEvent.TreeChanged.class);
    dispatcher.events().portStatus(connection, PortChange.MODIFIED, down(1));
    assertThat(heard.get(Lane.PORTS_DOWN + 1)).isInstanceOf(NetworkEvent.PortDown.class);
  }

  private List<NetworkEvent> eventsOfAnApp() {
    List<NetworkEvent> heard = new ArrayList<>();
    App app = new App("a", packet -> forward(2));
    app.onEvent =
        event -> {
          heard.add(event);
          return Decision.PASS;
        };
    return heard;
  }

  private static PortDescription down(int port) {
    return DefaultPortDescription.builder()
        .withPortNumber(PortNumber.portNumber(port))
        .isEnabled(false)
        .build();
  }

  private static Decision askForever() {
    return new Decision.Ask(ASKED, reply -> askForever());
  }

  @Test
  void applicationThatThrowsLosesThatPacketOnly() {
    int[] calls = {0};
    new App(
        "a",
        packet -> {
          if (calls[0]++ == 0) {
            throw new IllegalStateException("bug");
          }
          return forward(2);
        });
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).hasSize(1);
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
  }

  @Test
  void applicationThatThrowsOnAReplyLosesThatPacketOnly() {
    new App(
        "a",
        packet ->
            new Decision.Ask(
                ASKED,
                reply -> {
                  throw new IllegalStateException("bug");
                }));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(FOUND);
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
  }

  @Test
  void lldpAndLinkLocalFramesNeverReachAnApplication() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, ethernet(0x0180_c200_000eL, 1, 0x88cc)));
    dispatcher.packetIn(connection, whole(1, ethernet(2, 1, 0x88cc)));
    dispatcher.packetIn(connection, whole(1, ethernet(0x0180_c200_0000L, 1, 0x0026)));
    dispatcher.packetIn(connection, whole(1, ethernet(-1L, 1, 0x8942)));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.LLDP)).isEqualTo(2);
    assertThat(dispatcher.counters().of(PacketResult.LINK_LOCAL)).isEqualTo(2);
  }

  @Test
  void malformedFrameIsCountedAndDropped() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, new byte[13]));
    dispatcher.packetIn(connection, whole(1, new byte[0]));
    assertThat(dispatcher.counters().of(PacketResult.MALFORMED)).isEqualTo(2);
    assertThat(connection.packetOuts).isEmpty();
  }

  @Test
  void stormOnOnePortLeavesAnotherPortWorking() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(100, 1_000, 10, 1_024));
    mastery.grant(connection, 1);
    for (int i = 0; i < 50_000; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    assertThat(dispatcher.counters().of(PacketResult.OVER_PORT_QUOTA)).isEqualTo(49_900);
    connection.packetOuts.clear();
    dispatcher.packetIn(connection, whole(3, FRAME));
    assertThat(connection.packetOuts).hasSize(1);
    time.pass(1_000);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).as("the quota refills").hasSize(2);
  }

  @Test
  void stormOfDataDoesNotCutDiscovery() {
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(100, 100, 10, 1_024));
    mastery.grant(connection, 1);
    for (int i = 0; i < 1_000; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    dispatcher.packetIn(connection, whole(1, ethernet(0x0180_c200_000eL, 1, 0x88cc)));
    assertThat(dispatcher.counters().of(PacketResult.LLDP)).isEqualTo(1);
  }
}
