package io.lockstep.core.packet;

import static io.lockstep.core.packet.Frames.buffered;
import static io.lockstep.core.packet.Frames.whole;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.flow.entry.Cookies;
import io.lockstep.core.packet.ApplicationFailures.Failures;
import io.lockstep.core.packet.PacketCounters.PacketResult;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.testing.FakeSwitch;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MacAddress;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficTreatment;

/** What an application can do beside claiming its packet: watch, rewrite, act elsewhere. */
class ApplicationReachTest extends PacketDispatcherFixture {
  private final FakeSwitch other = new FakeSwitch(2, 3);
  private final List<String> seen = new ArrayList<>();

  private static TrafficTreatment rewriteTo(long out) {
    return DefaultTrafficTreatment.builder()
        .setEthDst(MacAddress.valueOf(9))
        .setOutput(port(out))
        .build();
  }

  private App claiming() {
    return new App(
        "claims",
        packet -> {
          seen.add("claims");
          return forward(2);
        });
  }

  @Test
  void whoCountsInTheStorePassesOnAfterwards() {
    new App("counts", packet -> new Decision.Ask(ASKED, reply -> Decision.PASS));
    claiming();
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(seen).isEmpty();
    store.answer(FOUND);
    assertThat(sentTo()).containsExactly(port(2));
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(1);
  }

  @Test
  void whoInstallsAndPassesOnLeavesThePacketToTheNext() {
    new App("watches", packet -> Decision.act(install(3)).thenPass());
    claiming();
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, buffered(1, 77, FRAME));
    assertThat(connection.flowMods).hasSize(1);
    assertThat(connection.flowMods.get(0).bufferId()).isEqualTo(PacketIn.NO_BUFFER);
    assertThat(connection.flowMods.get(0).cookie()).isEqualTo(Cookies.softEntriesOf("watches"));
    assertThat(sentTo()).containsExactly(port(2));
    assertThat(connection.packetOuts.get(0).bufferId()).isEqualTo(77);
    assertThat(dispatcher.counters().of(PacketResult.DECIDED)).isEqualTo(1);
  }

  @Test
  void packetThatAllPassOnIsUnclaimed() {
    new App("counts", packet -> new Decision.Ask(ASKED, reply -> Decision.PASS));
    new App("watches", packet -> Decision.act(install(3)).thenPass());
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    store.answer(FOUND);
    assertThat(connection.flowMods).hasSize(1);
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.UNCLAIMED)).isEqualTo(1);
  }

  @Test
  void whoPassesOnMustNotSendThePacketItself() {
    new App(
        "both", packet -> Decision.act(install(2), new Instruction.Forward(port(2))).thenPass());
    claiming();
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(connection.flowMods).isEmpty();
    assertThat(seen).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
  }

  @Test
  void firstPacketIsRewritten() {
    new App("balances", packet -> Decision.act(install(3), new Instruction.Send(rewriteTo(3))));
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(connection.flowMods).hasSize(1);
    assertThat(connection.packetOuts)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(new PacketOut(PacketIn.NO_BUFFER, port(1), rewriteTo(3), FRAME));
  }

  @Test
  void bufferedFirstPacketIsRewrittenInTheSwitch() {
    new App("balances", packet -> Decision.act(new Instruction.Send(rewriteTo(1))));
    mastering().packetIn(connection, buffered(1, 77, FRAME));
    PacketOut out = connection.packetOuts.get(0);
    assertThat(out.bufferId()).isEqualTo(77);
    TrafficTreatment back =
        DefaultTrafficTreatment.builder()
            .setEthDst(MacAddress.valueOf(9))
            .setOutput(PortNumber.IN_PORT)
            .build();
    assertThat(out.treatment()).isEqualTo(back);
  }

  /** A switch would flood by redundant links, too. */
  @Test
  void floodInATreatmentGoesAlongTheTree() {
    TrafficTreatment flood =
        DefaultTrafficTreatment.builder().popVlan().setOutput(PortNumber.FLOOD).build();
    new App(
        "floods",
        packet ->
            Decision.act(
                new Instruction.Send(flood),
                new Instruction.Emit(connection.deviceId(), flood, FRAME)));
    mastering().packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts)
        .extracting(PacketOut::treatment)
        .containsExactly(popVlanTo(2, 3), popVlanTo(1, 2, 3));
  }

  private static TrafficTreatment popVlanTo(long... ports) {
    TrafficTreatment.Builder treatment = DefaultTrafficTreatment.builder().popVlan();
    for (long number : ports) {
      treatment.setOutput(port(number));
    }
    return treatment.build();
  }

  @Test
  void packetIsSentInOneWayOnly() {
    new App(
        "twice",
        packet ->
            Decision.act(new Instruction.Send(rewriteTo(3)), new Instruction.Forward(port(2))));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(dispatcher.counters().of(PacketResult.APPLICATION_FAILED)).isEqualTo(1);
  }

  @Test
  void ownPacketLeavesFromAnotherSwitch() {
    Instruction emit = new Instruction.Emit(other.deviceId(), rewriteTo(2), FRAME);
    new App("asks", packet -> Decision.act(emit));
    PacketDispatcher dispatcher = mastering();
    mastery.grant(other, 3);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).isEmpty();
    assertThat(other.packetOuts)
        .usingRecursiveFieldByFieldElementComparator()
        .containsExactly(
            new PacketOut(PacketIn.NO_BUFFER, PortNumber.CONTROLLER, rewriteTo(2), FRAME));
  }

  @Test
  void eventMayEmitAPacketToo() {
    App app = new App("asks", packet -> Decision.PASS);
    app.onEvent =
        event -> Decision.act(new Instruction.Emit(connection.deviceId(), rewriteTo(2), FRAME));
    mastering();
    assertThat(connection.packetOuts).hasSize(1);
  }

  @Test
  void entriesAtAnotherSwitchAreSentFirst() {
    Instruction.SoftEntries there = (Instruction.SoftEntries) install(1);
    new App(
        "path",
        packet ->
            Decision.act(
                install(2),
                new Instruction.Forward(port(2)),
                new Instruction.At(other.deviceId(), there)));
    PacketDispatcher dispatcher = mastering();
    mastery.grant(other, 3);
    connection.onPacketOut = out -> assertThat(other.flowMods).hasSize(1);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(connection.packetOuts).hasSize(1);
    assertThat(connection.flowMods).hasSize(1);
    FlowMod mod = other.flowMods.get(0);
    assertThat(mod.operation()).isEqualTo(FlowMod.Operation.ADD);
    assertThat(mod.cookie()).isEqualTo(Cookies.softEntriesOf("path"));
  }

  @Test
  void switchOfAnotherNodeIsLeftAloneAndCounted() {
    Instruction.SoftEntries there = (Instruction.SoftEntries) install(1);
    new App(
        "path",
        packet ->
            Decision.act(
                new Instruction.At(other.deviceId(), there),
                new Instruction.Emit(other.deviceId(), rewriteTo(2), FRAME),
                new Instruction.Forward(port(2))));
    PacketDispatcher dispatcher = mastering();
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(other.flowMods).isEmpty();
    assertThat(other.packetOuts).isEmpty();
    assertThat(sentTo()).containsExactly(port(2));
    assertThat(dispatcher.counters().of(PacketResult.OTHER_SWITCH_NOT_MASTERED)).isEqualTo(2);
  }

  @Test
  void framesOutOfBoundsAreRefused() {
    for (int length : new int[] {0, 13, Instruction.Emit.MAX_FRAME + 1}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new Instruction.Emit(other.deviceId(), rewriteTo(2), new byte[length]))
          .withMessageContaining(length + " bytes");
    }
    assertThat(new Instruction.Emit(other.deviceId(), rewriteTo(2), new byte[14])).isNotNull();
  }

  @Test
  void failuresAreCountedForEachApplicationWithTheLastError() {
    List<Decision> decisions = new ArrayList<>();
    new App(
        "breaks",
        packet -> {
          if (decisions.isEmpty()) {
            throw new IllegalStateException("bug");
          }
          return decisions.get(0);
        });
    new App("works", packet -> forward(2));
    PacketDispatcher dispatcher = mastering();
    time.pass(5_000);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(failures.all())
        .containsExactly(
            new Failures(
                "breaks",
                1,
                "failed on a packet: java.lang.IllegalStateException: bug",
                time.millis()));
    decisions.add(
        Decision.act(new Instruction.Send(rewriteTo(3)), new Instruction.Forward(port(2))));
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(failures.all())
        .containsExactly(
            new Failures("breaks", 2, "wants to send a packet that is not its own", time.millis()));
    decisions.set(0, Decision.PASS);
    dispatcher.packetIn(connection, whole(1, FRAME));
    assertThat(failures.all().get(0).count()).isEqualTo(2);
    assertThat(sentTo()).as("the others go on").containsExactly(port(2));
  }
}
