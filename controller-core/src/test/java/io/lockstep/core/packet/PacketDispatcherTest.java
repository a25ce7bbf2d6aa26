package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.buffered;
import static io.lockstep.core.packet.Frames.ethernet;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.flow.MatchChoice;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.placer.profile.BuiltInProfiles;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.packet.PacketContext;

class PacketDispatcherTest extends PacketDispatcherFixture {

  @Test
  void packetGoesWhereTheApplicationSays() {
    new App("a", packet -> forward(2));
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new PacketOut(0xffff_ffffL, port(1), List.of(port(2)), FRAME));
  }

  @Test
  void applicationsAreAskedInOrderUntilOneClaims() {
    new App("a", packet -> Decision.PASS);
    new App("b", packet -> forward(2));
    new App("c", packet -> forward(3));
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(sentTo()).containsExactly(port(2));
  }

  @Test
  void whatASenderWithAnAddressOfAnApplicationSendsIsSeenByNothing() {
    new App("a", packet -> forward(2));
    new App("b", packet -> forward(3)).onSource = packet -> packet.source().toLong() == 1;
    List<Long> observed = new ArrayList<>();
    observers.add(
        packet -> {
          observed.add(packet.sourceNumber());
          return false;
        });
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(observed).isEmpty();
    assertThat(sentTo()).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.CLAIMED_SOURCE)).isEqualTo(1);
    dispatcher.packetIn(connection, whole(1, ethernet(2, 3, 0x0800)));
    assertThat(observed).containsExactly(3L);
    assertThat(sentTo()).containsExactly(port(2));

    deactivated.add("b");
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(observed).as("an application that is not active claims nothing").hasSize(2);
    assertThat(dispatcher.counters().of(PacketResult.CLAIMED_SOURCE)).isEqualTo(1);
  }

  @Test
  void anApplicationThatFailsOnASourceDropsThePacket() {
    new App("a", packet -> forward(2)).onSource =
        packet -> {
          throw new IllegalStateException("wanted");
        };
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(sentTo()).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
    assertThat(failures.all()).extracting(one -> one.application()).containsExactly("a");
  }

  @Test
  void floodLeavesByAllOpenPortsButTheIngress() {
    new App("a", packet -> Decision.act(new Instruction.Flood()));
    mastering().packetIn(connection, whole(2, FRAME));
    assertThat(sentTo()).containsExactly(port(1), port(3));
  }

  @Test
  void theMatchOfAnEntryIsChosenForTheSwitch() {
    TrafficSelector widest =
        DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(1)).build();
    List<TrafficSelector> chosen = new ArrayList<>();
    new App(
        "a",
        packet -> {
          chosen.add(packet.match(widest, network));
          return Decision.DROP;
        });
    mastering().packetIn(connection, whole(1, FRAME));
    flows = new Narrowing();
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(chosen).hasSizeGreaterThanOrEqualTo(2).first().isSameAs(widest);
    assertThat(chosen.get(chosen.size() - 1))
        .isEqualTo(DefaultTrafficSelector.builder(widest).matchEthType((short) 0x0800).build());
  }

  /** Switches with a small table before a large one. */
  private static final class Narrowing implements FlowDoor {
    @Override
    public boolean isDirect(SwitchConnection connection) {
      return false;
    }

    @Override
    public MatchChoice matches(SwitchConnection connection) {
      return MatchChoice.of(BuiltInProfiles.get("ovs-small"));
    }

    @Override
    public boolean send(SwitchConnection connection, List<FlowMod> mods) {
      return true;
    }
  }

  @Test
  void packetOfAnotherNodesSwitchIsDropped() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    dispatcher.packetIn(connection, whole(1, FRAME));
    mastery.grant(connection, 1);
    mastery.suspend(connection);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.NOT_MASTERED)).isEqualTo(2);
  }

  @Test
  void flowModsGoBeforeThePacket() {
    new App("a", packet -> Decision.act(new Instruction.Forward(port(2)), install(2)));
    connection.onPacketOut = out -> assertThat(connection.flowMods).hasSize(1);
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).hasSize(1);
    assertThat(connection.flowMods.get(0).cookie()).isEqualTo(Cookies.softEntriesOf("a"));
  }

  @Test
  void bufferedPacketTravelsWithTheOnlyFlowMod() {
    new App("a", packet -> Decision.act(install(2), new Instruction.Forward(port(2))));
    mastering().packetIn(connection, buffered(1, 77, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(connection.flowMods.get(0).bufferId()).isEqualTo(77);
  }

  @Test
  void bufferedPacketThatGoesElsewhereThanTheFlowIsSentByItself() {
    new App("a", packet -> Decision.act(install(2), new Instruction.Forward(port(3))));
    mastering().packetIn(connection, buffered(1, 77, FRAME));
    assertThat(connection.packetOuts)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new PacketOut(77, port(1), List.of(port(3)), new byte[0]));
  }

  @Test
  void droppedPacketFreesItsBuffer() {
    new App("a", packet -> Decision.DROP);
    mastering().packetIn(connection, buffered(1, 77, FRAME));
    assertThat(connection.packetOuts)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new PacketOut(77, port(1), List.of(), new byte[0]));
  }

  @Test
  void packetBackToItsIngressUsesTheInPort() {
    new App("a", packet -> forward(1));
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(sentTo()).containsExactly(PortNumber.IN_PORT);
  }

  @Test
  void removalsTouchOnlyTheApplicationsOwnEntries() {
    new App("a", packet -> Decision.act(new Instruction.RemoveFlowsTo(port(2))));
    mastering().packetIn(connection, whole(1, FRAME));
    FlowMod mod = connection.flowMods.get(0);
    assertThat(mod.operation()).isEqualTo(FlowMod.Operation.DELETE);
    assertThat(mod.cookie()).isEqualTo(Cookies.softEntriesOf("a"));
    assertThat(mod.cookieMask()).isEqualTo(Cookies.OWNER_MASK);
    assertThat(mod.treatment().allInstructions()).hasSize(1);
  }

  @Test
  void decisionWaitsForTheStore() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    store.answer(FOUND);
    assertThat(sentTo()).containsExactly(port(2));
  }

  @Test
  void replyAfterMastershipWasLostIsStale() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    mastery.take(connection);
    store.answer(FOUND);
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.STALE)).isEqualTo(1);
  }

  @Test
  void replyUnderANewEpochIsStale() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    mastery.setEpoch(connection, 8);
    store.answer(FOUND);
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.STALE)).isEqualTo(1);
  }

  @Test
  void packetIsDroppedWhereTheStoreDoesNotAnswerOrRejects() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(new Reply.Unknown("no quorum"));
    store.answer(new Reply.Rejected(Reply.Reason.NOT_SENT, "full"));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.STORE_UNKNOWN)).isEqualTo(1);
    assertThat(dispatcher.counters().of(PacketResult.STORE_REJECTED)).isEqualTo(1);
  }

  @Test
  void applicationHearsOfMastershipPortsAndTree() {
    new App("a", packet -> Decision.PASS);
    connection.setPort(3, false);
    PacketDispatcher dispatcher = mastering();
    dispatcher.events().portStatus(connection, PortChange.MODIFIED, connection.setPort(2, false));
    dispatcher.events().portStatus(connection, PortChange.MODIFIED, connection.setPort(2, true));
    dispatcher.events().pathsChanged(Set.of(1L, 2L));
    dispatcher.events().pathsChanged(Set.of(2L));
    assertThat(events)
        .containsExactly(
            new NetworkEvent.Mastered(connection.deviceId()),
            new NetworkEvent.PortDown(connection.deviceId(), port(3)),
            new NetworkEvent.PortDown(connection.deviceId(), port(2)),
            new NetworkEvent.TreeChanged(connection.deviceId()));
  }

  @Test
  void whatAnEventAsksIsAskedAgainUntilTheStoreAnswers() {
    App app = new App("a", packet -> Decision.PASS);
    app.onEvent =
        event ->
            event instanceof NetworkEvent.TreeChanged
                ? new Decision.Ask(
                    ASKED, reply -> Decision.act(new Instruction.RemoveFlowsTo(port(1))))
                : Decision.PASS;
    PacketDispatcher dispatcher = mastering();
    dispatcher.events().pathsChanged(Set.of(1L));
    store.answer(new Reply.Unknown("no quorum"));
    assertThat(store.asked).isEmpty();
    time.pass(600);
    store.answer(FOUND);
    assertThat(connection.flowMods).hasSize(1);
  }

  @Test
  void observerCanConsumeAPacket() {
    new App("a", packet -> forward(2));
    observers.add(packet -> packet.etherType() == 0x0806);
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, ethernet(2, 1, 0x0806)));
    dispatcher.packetIn(connection, whole(1, ethernet(2, 1, 0x0800)));
    assertThat(connection.packetOuts).hasSize(1);
  }

  @Test
  void processorsOfTheApiDoNotSeePacketsOfADisputedSource() {
    List<PacketContext> seen = new ArrayList<>();
    processors.add(seen::add, 1);
    boolean[] disputed = {true};
    observers.add(
        packet -> {
          if (disputed[0]) {
            packet.markSourceDisputed();
          }
          return false;
        });
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(seen).isEmpty();
    disputed[0] = false;
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(seen).hasSize(1);
  }

  @Test
  void applicationsWhoseCookiesCollideAreRefusedAtTheStart() {
    new App("same", packet -> Decision.PASS);
    new App("same", packet -> Decision.PASS);
    assertThatThrownBy(() -> dispatcher(PacketLimits.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same");
  }
}
