package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.buffered;
import static io.lockstep.core.packet.Frames.ethernet;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkEvent;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.app.PacketView;
import io.lockstep.core.flow.Cookies;
import io.lockstep.core.flow.FlowDoor;
import io.lockstep.core.link.DirectedLink;
import io.lockstep.core.link.DiscoveryConfig;
import io.lockstep.core.link.LinkDiscovery;
import io.lockstep.core.link.LldpReceiver;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.packet.PacketCounters.Fate;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.testing.FakeMastery;
import io.lockstep.core.testing.FakeSwitch;
import io.lockstep.core.testing.ManualTime;
import io.lockstep.core.testing.NoRules;
import io.lockstep.core.testing.ScriptedStore;
import io.lockstep.core.topology.NetworkPicture;
import io.lockstep.store.Bytes;
import io.lockstep.store.Command;
import io.lockstep.store.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.onosproject.cluster.NodeId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

class PacketDispatcherTest {
  private static final Command ASKED = new Command.Get("t", Bytes.utf8("k"));
  private static final Reply FOUND = new Reply.Found(Bytes.empty(), 1);
  private static final byte[] FRAME = ethernet(2, 1, 0x0800);

  private final ManualTime time = new ManualTime();
  private final FakeMastery mastery = new FakeMastery();
  private final ScriptedStore store = new ScriptedStore();
  private final FakeSwitch connection = new FakeSwitch(1, 3);
  private final List<NetworkEvent> events = new ArrayList<>();
  private final List<PacketApplication> applications = new ArrayList<>();
  private final List<PacketObserver> observers = new ArrayList<>();
  private final NetworkView network =
      new NetworkPicture(
          1, List.of(new SwitchPort(1, 1), new SwitchPort(1, 2), new SwitchPort(1, 3)), List.of());

  private final PacketRequests requests = new PacketRequests(NodeId.nodeId("n"), new NoRules());

  private final class App implements PacketApplication {
    final String name;
    final Function<PacketView, Decision> onPacket;
    Function<NetworkEvent, Decision> onEvent = event -> Decision.PASS;

    App(String name, Function<PacketView, Decision> onPacket) {
      this.name = name;
      this.onPacket = onPacket;
      applications.add(this);
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public Decision packetIn(PacketView packet, NetworkView view) {
      return onPacket.apply(packet);
    }

    @Override
    public Decision networkEvent(NetworkEvent event, NetworkView view) {
      events.add(event);
      return onEvent.apply(event);
    }
  }

  private PacketDispatcher dispatcher(PacketLimits limits) {
    LinkDiscovery discovery =
        new LinkDiscovery(
            new NoLinks(),
            (device, writes) -> new CompletableFuture<>(),
            DiscoveryConfig.DEFAULT,
            time,
            time::nanos,
            time::millis,
            dpid -> true);
    PacketDispatcher dispatcher =
        new PacketDispatcher(
            mastery,
            store,
            () -> network,
            new PacketDispatcher.Stations(
                new LldpReceiver(discovery, time::millis, time::nanos),
                observers,
                new ProcessorChain(mastery, () -> network, requests, time::nanos),
                applications),
            FlowDoor.open(),
            limits,
            time,
            time::nanos);
    mastery.addListener(dispatcher);
    return dispatcher;
  }

  private PacketDispatcher mastering() {
    PacketDispatcher dispatcher = dispatcher(PacketLimits.DEFAULT);
    mastery.grant(connection, 7);
    return dispatcher;
  }

  private static final class NoLinks implements LinkDiscovery.Surroundings {
    @Override
    public Set<DirectedLink> links() {
      return Set.of();
    }

    @Override
    public Set<SwitchPort> edges() {
      return Set.of();
    }

    @Override
    public void changed() {}
  }

  private static PortNumber port(long number) {
    return PortNumber.portNumber(number);
  }

  private static Instruction install(long out) {
    return new Instruction.InstallFlow(
        DefaultTrafficSelector.emptySelector(),
        DefaultTrafficTreatment.builder().setOutput(port(out)).build(),
        10,
        5,
        0);
  }

  private static Decision forward(long port) {
    return Decision.act(new Instruction.Forward(port(port)));
  }

  private List<PortNumber> sentTo() {
    return connection.packetOuts.stream().flatMap(out -> out.outPorts().stream()).toList();
  }

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
  void floodLeavesByAllOpenPortsButTheIngress() {
    new App("a", packet -> Decision.act(new Instruction.Flood()));
    mastering().packetIn(connection, whole(2, FRAME));
    assertThat(sentTo()).containsExactly(port(1), port(3));
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
    assertThat(dispatcher.counters().of(Fate.NOT_MASTERED)).isEqualTo(2);
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
    assertThat(dispatcher.counters().of(Fate.STALE)).isEqualTo(1);
  }

  @Test
  void replyUnderANewEpochIsStale() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    mastery.setEpoch(connection, 8);
    store.answer(FOUND);
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(Fate.STALE)).isEqualTo(1);
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
    assertThat(dispatcher.counters().of(Fate.STORE_UNKNOWN)).isEqualTo(1);
    assertThat(dispatcher.counters().of(Fate.STORE_REJECTED)).isEqualTo(1);
  }

  @Test
  void outstandingAsksAreBoundedAndFreedByReplies() {
    new App("a", packet -> new Decision.Ask(ASKED, reply -> forward(2)));
    PacketDispatcher dispatcher = dispatcher(new PacketLimits(0, 0, 0, 2));
    mastery.grant(connection, 1);
    for (int i = 0; i < 3; i++) {
      dispatcher.packetIn(connection, whole(1, FRAME));
    }
    assertThat(store.asked).hasSize(2);
    assertThat(dispatcher.counters().of(Fate.TOO_MANY_ASKS)).isEqualTo(1);
    store.answer(FOUND);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(store.asked).hasSize(2);
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
    assertThat(dispatcher.counters().of(Fate.APPLICATION_FAILED)).isEqualTo(1);
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
    assertThat(dispatcher.counters().of(Fate.APPLICATION_FAILED)).isEqualTo(1);
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
    assertThat(dispatcher.counters().of(Fate.APPLICATION_FAILED)).isEqualTo(1);
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
    assertThat(dispatcher.counters().of(Fate.LLDP)).isEqualTo(2);
    assertThat(dispatcher.counters().of(Fate.LINK_LOCAL)).isEqualTo(2);
  }

  @Test
  void malformedFrameIsCountedAndDropped() {
    new App("a", packet -> forward(2));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, new byte[13]));
    dispatcher.packetIn(connection, whole(1, new byte[0]));
    assertThat(dispatcher.counters().of(Fate.MALFORMED)).isEqualTo(2);
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
    assertThat(dispatcher.counters().of(Fate.OVER_PORT_QUOTA)).isEqualTo(49_900);
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
    assertThat(dispatcher.counters().of(Fate.LLDP)).isEqualTo(1);
  }

  @Test
  void gainedSwitchSendsMissesAndLldpUp() {
    mastering();
    assertThat(connection.confirmed)
        .extracting(FlowMod::priority)
        .containsExactlyInAnyOrder(0, 65_535);
    assertThat(connection.confirmed)
        .allSatisfy(mod -> assertThat(mod.operation()).isEqualTo(FlowMod.Operation.ADD));
  }

  @Test
  void puntRulesAreSentAgainUntilTheyAreThere() {
    connection.onConfirmed = mod -> new FlowModOutcome.Unknown("no barrier reply");
    mastering();
    time.pass(1_100);
    assertThat(connection.confirmed).hasSize(4);
    connection.onConfirmed = mod -> new FlowModOutcome.Installed();
    time.pass(10_000);
    assertThat(connection.confirmed).hasSize(6);
  }

  @Test
  void applicationHearsOfMastershipPortsAndTree() {
    new App("a", packet -> Decision.PASS);
    connection.setPort(3, false);
    PacketDispatcher dispatcher = mastering();
    dispatcher.portStatus(connection, PortChange.MODIFIED, connection.setPort(2, false));
    dispatcher.portStatus(connection, PortChange.MODIFIED, connection.setPort(2, true));
    dispatcher.pathsChanged(Set.of(1L, 2L));
    dispatcher.pathsChanged(Set.of(2L));
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
    dispatcher.pathsChanged(Set.of(1L));
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
  void applicationsWhoseCookiesCollideAreRefusedAtTheStart() {
    new App("same", packet -> Decision.PASS);
    new App("same", packet -> Decision.PASS);
    assertThatThrownBy(() -> dispatcher(PacketLimits.DEFAULT))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("same");
  }
}
