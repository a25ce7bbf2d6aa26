package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.ethernet;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.app.Decision;
import io.lockstep.core.packet.DroppedPackets.Count;
import io.lockstep.core.packet.DroppedPackets.Reason;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.PacketKind;
import io.lockstep.store.Reply;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Packets that are refused before they are read, and those that the dispatcher drops. */
class PacketGateTest extends PacketDispatcherFixture {
  private static final String SWITCH = "0000000000000001";

  /** What the channel does with a packet. */
  private void arrives(PacketDispatcher dispatcher, long port, byte[] frame, PacketKind kind) {
    if (!dispatcher.refuses(connection, port, kind)) {
      dispatcher.packetIn(connection, whole(port, frame));
    }
  }

  private static Map<Reason, Long> byReason(PacketDispatcher dispatcher) {
    return dispatcher.dropped().counts().stream()
        .collect(Collectors.groupingBy(Count::reason, Collectors.summingLong(Count::packets)));
  }

  @Test
  void floodOfAPortIsRefusedAndEachPacketCountedOnce() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(100, 1_000, 10, 1_024));
    mastery.grant(connection, 1);
    for (int i = 0; i < 5_000; i++) {
      arrives(dispatcher, 1, FRAME, PacketKind.UNICAST);
    }
    arrives(dispatcher, 3, FRAME, PacketKind.UNICAST);
    assertThat(connection.packetOuts).hasSize(101);
    assertThat(dispatcher.dropped().counts())
        .containsExactly(new Count(SWITCH, "1", Reason.PORT_QUOTA, 4_900));
    assertThat(dispatcher.counters().of(PacketResult.RECEIVED)).isEqualTo(5_001);
    assertThat(dispatcher.counters().of(PacketResult.OVER_PORT_QUOTA)).isEqualTo(4_900);
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(101);
  }

  @Test
  void refusingTakesNothingFromAShare() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(10, 1_000, 10, 1_024));
    mastery.grant(connection, 1);
    for (int i = 0; i < 1_000; i++) {
      assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isFalse();
    }
    for (int i = 0; i < 10; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isTrue();
    time.pass(1_000);
    assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isFalse();
  }

  @Test
  void linkProbesHaveAShareOfTheirOwn() {
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(100, 100, 10, 1));
    mastery.grant(connection, 1);
    for (int i = 0; i < 1_000; i++) {
      arrives(dispatcher, 1, FRAME, PacketKind.UNICAST);
    }
    byte[] probe = ethernet(0x0180_c200_000eL, 1, 0x88cc);
    for (int i = 0; i < 30; i++) {
      arrives(dispatcher, 1, probe, PacketKind.LINK_PROBE);
    }
    assertThat(dispatcher.counters().of(PacketResult.LLDP)).isEqualTo(10);
    assertThat(byReason(dispatcher)).containsEntry(Reason.PROBE_QUOTA, 20L);
  }

  @Test
  void decisionsThatWaitKeepOutTheirPortAndNoOther() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(0, 0, 0, 100));
    mastery.grant(connection, 1);
    for (int i = 0; i < 1_000; i++) {
      arrives(dispatcher, 1, FRAME, PacketKind.UNICAST);
    }
    assertThat(store.asked).hasSize(75);
    assertThat(byReason(dispatcher)).containsOnly(Map.entry(Reason.SWITCH_WAITS, 925L));
    assertThat(dispatcher.counters().of(PacketResult.TOO_MANY_ASKS)).isEqualTo(925);
    assertThat(dispatcher.refuses(connection, 3, PacketKind.UNICAST)).isFalse();
    store.answer(FOUND);
    assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isFalse();
  }

  @Test
  void broadcastsThatWaitLeavePlacesForFlows() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(0, 0, 0, 100));
    mastery.grant(connection, 1);
    byte[] broadcast = ethernet(-1L, 1, 0x0806);
    for (int i = 0; i < 1_000; i++) {
      arrives(dispatcher, 1, broadcast, PacketKind.GROUP);
    }
    assertThat(store.asked).hasSize(50);
    assertThat(dispatcher.refuses(connection, 1, PacketKind.GROUP)).isTrue();
    assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isFalse();
  }

  /** What was dropped after it was read counts under the same name as what was not read. */
  @Test
  void packetsWithoutAnAnswerAreCountedWhereverTheyEnd() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = dispatcher(PacketLimits.NONE);
    mastery.grant(connection, 1);
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(new Reply.Unknown("no quorum"));
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
    dispatcher.packetIn(connection, whole(2, FRAME));
    connection.full = true;
    store.answer(FOUND);
    assertThat(dispatcher.dropped().counts())
        .containsExactly(
            new Count(SWITCH, "1", Reason.STORE, 2), new Count(SWITCH, "2", Reason.UNREAD, 1));
  }

  @Test
  void switchThatIsNotMasteredHereIsNotReadAndHasNoShare() {
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    assertThat(dispatcher.refuses(connection, 1, PacketKind.UNICAST)).isTrue();
    assertThat(dispatcher.counters().of(PacketResult.RECEIVED)).isEqualTo(1);
    assertThat(dispatcher.counters().of(PacketResult.NOT_MASTERED)).isEqualTo(1);
    assertThat(dispatcher.dropped().counts()).isEmpty();
  }

  /** Ports that a switch invents share one bucket and one counter beyond a bound. */
  @Test
  void inventedPortsCostABoundedNumberOfCounters() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(1, 10, 1, 1_024));
    mastery.grant(connection, 1);
    int packets = 0;
    for (int round = 0; round < 2; round++) {
      for (long port = 1; port <= 10_000; port++) {
        arrives(dispatcher, port, FRAME, PacketKind.UNICAST);
        packets++;
      }
    }
    long dropped = dispatcher.dropped().counts().stream().mapToLong(Count::packets).sum();
    assertThat(dropped + dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(packets);
    assertThat(dispatcher.dropped().counts())
        .hasSizeLessThanOrEqualTo((DroppedPackets.MAX_PORTS + 1) * Reason.values().length);
  }
}
