package io.lockstep.dataplane.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.Action.DecTtl;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.Action.SetTtl;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.packet.EtherTypes;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** OpenFlow 1.3.5 sections 4.5, 7.2.1, 7.3.4.3, 7.3.7 and 7.4.1. */
class SwitchModelTest {
  private static final byte[] FRAME = SampleFrames.echo();
  private static final byte[] NO_DATA = {};

  private final RecordedEvents events = new RecordedEvents();
  private final SwitchModel model = new SwitchModel(new SwitchFeatures(1, 2, 100, 2, 1000), events);
  private long nowNanos;

  SwitchModelTest() {
    for (int port = 1; port <= 3; port++) {
      model.addPort(port, "p" + port, new Mac(port), true, 0);
    }
  }

  private void all(Action... actions) {
    assertThat(
            model.flowMod(FlowMod.add(FlowMatch.ANY, 1, Instructions.applying(actions)), nowNanos))
        .isEmpty();
  }

  private String receive(int port) {
    events.out.clear();
    model.receive(port, FRAME, nowNanos);
    return String.join(" ", events.out);
  }

  private String packetOut(int buffer, int inPort, byte[] data, Action... actions) {
    events.out.clear();
    return model
        .packetOut(buffer, inPort, List.of(actions), data, nowNanos)
        .map(Enum::name)
        .orElseGet(() -> String.join(" ", events.out));
  }

  @Test
  void floodAndAllSparePortTheFrameCameFrom() {
    all(Output.to(PortNumbers.FLOOD));
    assertThat(receive(2)).isEqualTo("1 3");
    all(Output.to(PortNumbers.ALL));
    assertThat(receive(1)).isEqualTo("2 3");
  }

  /** Section 4.5: only IN_PORT sends a packet back where it came from. */
  @Test
  void framesGoBackOnlyByInPort() {
    all(Output.to(2));
    assertThat(receive(2)).isEmpty();
    assertThat(receive(1)).isEqualTo("2");
    all(Output.to(PortNumbers.IN_PORT));
    assertThat(receive(2)).isEqualTo("2");
  }

  @Test
  void portsThatAreDownNeitherSendNorReceive() {
    all(Output.to(PortNumbers.FLOOD));
    model.setLink(2, false);
    assertThat(events.ports).containsExactly("2 link down");
    assertThat(receive(1)).isEqualTo("3");
    assertThat(receive(2)).isEqualTo("dropped PORT_CLOSED");
    model.setLink(2, false); // nothing new, no notice
    model.setLink(2, true);
    assertThat(events.ports).hasSize(2);
    assertThat(receive(1)).isEqualTo("2 3");
    SwitchPort port = Objects.requireNonNull(model.port(2));
    assertThat(port.rxDropped()).isEqualTo(1);
    assertThat(port.txDropped()).isEqualTo(1);
    assertThat(port.txPackets()).isEqualTo(1);
    assertThat(port.txBytes()).isEqualTo(FRAME.length);
  }

  @Test
  void portModSwitchesDirectionsOff() {
    all(Output.to(PortNumbers.FLOOD));
    configure(2, new SwitchPort.Config(false, false, true, false));
    assertThat(receive(1)).isEqualTo("3");
    assertThat(receive(2)).isEqualTo("1 3");
    configure(2, new SwitchPort.Config(false, true, false, false));
    assertThat(receive(1)).isEqualTo("2 3");
    assertThat(receive(2)).isEqualTo("dropped PORT_CLOSED");
    configure(2, new SwitchPort.Config(true, false, false, false));
    assertThat(receive(1)).isEqualTo("3");
    all(Output.to(PortNumbers.CONTROLLER));
    configure(2, new SwitchPort.Config(false, false, false, true));
    assertThat(receive(2)).isEmpty();
    assertThat(receive(1)).isEqualTo("controller ACTION");
  }

  /** OpenFlow 1.0 section 5.2.1: NO_FLOOD leaves a port out of FLOOD, not out of ALL. */
  @Test
  void portsAreLeftOutOfFloods() {
    configure(2, new SwitchPort.Config(false, false, false, false, true));
    all(Output.to(PortNumbers.FLOOD));
    assertThat(receive(1)).isEqualTo("3");
    all(Output.to(PortNumbers.ALL));
    assertThat(receive(1)).isEqualTo("2 3");
    all(Output.to(2));
    assertThat(receive(1)).isEqualTo("2");
  }

  private void configure(int port, SwitchPort.Config config) {
    assertThat(model.configurePort(port, new Mac(port), config)).isEmpty();
  }

  @Test
  void portModOfTheWrongPortIsRefused() {
    assertThat(model.configurePort(9, new Mac(9), SwitchPort.Config.NORMAL))
        .contains(ModelError.PORT_MOD_BAD_PORT);
    assertThat(model.configurePort(2, new Mac(9), SwitchPort.Config.NORMAL))
        .contains(ModelError.PORT_MOD_BAD_HW_ADDR);
    assertThat(events.ports).isEmpty();
  }

  @Test
  void missReportsItsReasonTableAndCookie() {
    assertThat(
            model.flowMod(
                FlowMod.add(
                        FlowMatch.ANY,
                        0,
                        Instructions.applying(new Output(PortNumbers.CONTROLLER, 20)))
                    .withCookie(77, 0),
                0))
        .isEmpty();
    assertThat(receive(3)).isEqualTo("controller NO_MATCH");
    PacketIn packetIn = events.packetIns.get(0);
    assertThat(packetIn.inPort()).isEqualTo(3);
    assertThat(packetIn.tableId()).isZero();
    assertThat(packetIn.cookie()).isEqualTo(77);
    assertThat(packetIn.totalLength()).isEqualTo(FRAME.length);
    assertThat(packetIn.data()).hasSize(20);
    assertThat(packetIn.bufferId()).isNotEqualTo(FlowMod.NO_BUFFER);
  }

  @Test
  void wholePacketComesWithoutABufferWhenAskedFor() {
    all(Output.to(PortNumbers.CONTROLLER));
    receive(1);
    assertThat(events.packetIns.get(0).bufferId()).isEqualTo(FlowMod.NO_BUFFER);
    assertThat(events.packetIns.get(0).data()).isEqualTo(FRAME);
  }

  /** Buffers are bounded: when all are held, the packet-in carries everything. */
  @Test
  void withoutAFreeBufferThePacketInIsWhole() {
    all(new Output(PortNumbers.CONTROLLER, 20));
    receive(1);
    receive(1);
    receive(1);
    assertThat(events.packetIns.get(1).bufferId()).isNotEqualTo(FlowMod.NO_BUFFER);
    assertThat(events.packetIns.get(2).bufferId()).isEqualTo(FlowMod.NO_BUFFER);
    assertThat(events.packetIns.get(2).data()).isEqualTo(FRAME);
    nowNanos += 1_000_000_000L; // the hold time is over
    receive(1);
    assertThat(events.packetIns.get(3).bufferId()).isNotEqualTo(FlowMod.NO_BUFFER);
    int overwritten = events.packetIns.get(0).bufferId();
    assertThat(packetOut(overwritten, 1, NO_DATA, Output.to(2))).isEqualTo("BUFFER_UNKNOWN");
  }

  @Test
  void bufferedPacketIsSentOnce() {
    all(new Output(PortNumbers.CONTROLLER, 20));
    receive(1);
    int buffer = events.packetIns.get(0).bufferId();
    assertThat(packetOut(buffer, 1, NO_DATA, Output.to(2))).isEqualTo("2");
    assertThat(events.frames.get(0)).isEqualTo(FRAME);
    assertThat(packetOut(buffer, 1, NO_DATA, Output.to(2))).isEqualTo("BUFFER_UNKNOWN");
    assertThat(packetOut(12345, 1, NO_DATA, Output.to(2))).isEqualTo("BUFFER_UNKNOWN");
  }

  /** Section 7.3.4.1: a flow-mod's buffered packet runs through the changed tables. */
  @Test
  void flowModSendsTheBufferedPacketThroughItsEntry() {
    all(new Output(PortNumbers.CONTROLLER, 20));
    receive(1);
    int buffer = events.packetIns.get(0).bufferId();
    events.out.clear();
    FlowMod mod =
        FlowMod.add(FlowMatch.ANY, 9, Instructions.applying(Output.to(3))).withBuffer(buffer);
    assertThat(model.flowMod(mod, nowNanos)).isEmpty();
    assertThat(events.out).containsExactly("3");
    assertThat(model.flowMod(mod, nowNanos)).contains(ModelError.BUFFER_UNKNOWN);
  }

  @Test
  void packetOutFollowsItsActions() {
    int none = FlowMod.NO_BUFFER;
    assertThat(packetOut(none, PortNumbers.CONTROLLER, FRAME, Output.to(PortNumbers.FLOOD)))
        .isEqualTo("1 2 3");
    assertThat(packetOut(none, 2, FRAME, Output.to(PortNumbers.FLOOD))).isEqualTo("1 3");
    assertThat(packetOut(none, 2, FRAME, Output.to(PortNumbers.IN_PORT))).isEqualTo("2");
    assertThat(packetOut(none, 2, FRAME)).isEqualTo("dropped NO_OUTPUT");
    all(Output.to(3));
    assertThat(packetOut(none, 2, FRAME, Output.to(PortNumbers.TABLE))).isEqualTo("3");
    assertThat(packetOut(none, 9, FRAME, Output.to(1))).isEqualTo("BAD_REQUEST_PORT");
    assertThat(packetOut(none, 2, FRAME, Output.to(9))).isEqualTo("BAD_OUT_PORT");
    assertThat(packetOut(none, 2, NO_DATA, Output.to(1))).isEqualTo("BAD_PACKET");
  }

  @Test
  void exhaustedTimeToLiveIsReported() {
    FlowMatch ip = FlowMatch.builder().exact(OxmField.ETH_TYPE, EtherTypes.IPV4).build();
    FlowMod mod =
        FlowMod.add(ip, 5, Instructions.applying(new SetTtl(1), new DecTtl(), Output.to(2)));
    assertThat(model.flowMod(mod, 0)).isEmpty();
    assertThat(receive(1)).isEqualTo("dropped INVALID_TTL controller INVALID_TTL");
  }

  @Test
  void packetsWithoutEntryOrOutputAreDropped() {
    assertThat(receive(1)).isEqualTo("dropped NO_ENTRY");
    all();
    assertThat(receive(1)).isEqualTo("dropped NO_OUTPUT");
  }

  @Test
  void expiredEntryIsNotUsedEvenIfNobodySweptTheTable() {
    FlowMod mod =
        FlowMod.add(FlowMatch.ANY, 5, Instructions.applying(Output.to(2))).withTimeouts(0, 1);
    assertThat(model.flowMod(mod, 0)).isEmpty();
    assertThat(receive(1)).isEqualTo("2");
    nowNanos = 1_000_000_000L;
    assertThat(receive(1)).isEqualTo("dropped NO_ENTRY");
  }
}
