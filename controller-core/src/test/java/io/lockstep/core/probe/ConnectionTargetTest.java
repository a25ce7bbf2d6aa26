package io.lockstep.core.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.lockstep.core.node.PacketTaps;
import io.lockstep.core.probe.ProbeTarget.Flight;
import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.testing.FakeSwitch;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;

/** Packets of a probe on a connection whose other end is slow, forgetful or gone. */
class ConnectionTargetTest {
  private static final Structure STRUCTURE = new Structure(EnumSet.of(ProbeField.IN_PORT));
  private static final long COOKIE = 42;
  private static final FlowMod MOD =
      new FlowMod(
          FlowMod.Operation.ADD,
          0,
          1,
          COOKIE,
          0,
          0,
          60,
          false,
          PacketIn.NO_BUFFER,
          DefaultTrafficSelector.emptySelector(),
          DefaultTrafficTreatment.emptyTreatment());

  private final FakeSwitch device = new FakeSwitch(1, 1);
  private final PacketTaps taps = new PacketTaps();
  private final List<PacketOut> held = new ArrayList<>();

  private ConnectionTarget target() throws ProbeException {
    return new ConnectionTarget(device, taps, System::nanoTime);
  }

  private void comesBack(PacketOut out) {
    comesBack(out, COOKIE, PacketIn.Reason.ACTION);
  }

  private void comesBack(PacketOut out, long cookie, PacketIn.Reason reason) {
    byte[] data = out.data();
    PacketIn packet =
        new PacketIn(
            PacketIn.NO_BUFFER, 0, PortNumber.portNumber(1), reason, cookie, data, data.length);
    assertThat(taps.take(device, packet)).isTrue();
  }

  private static boolean isStraight(PacketOut out) {
    return out.outPorts().equals(List.of(PortNumber.CONTROLLER));
  }

  @Test
  void packetsThatComeBackAreCountedByTheirWay() throws ProbeException {
    try (ConnectionTarget target = target()) {
      device.onPacketOut = this::comesBack;
      Flight flight = target.fly(STRUCTURE, COOKIE, 5, 3);
      assertThat(flight.through().sent()).isEqualTo(5);
      assertThat(flight.through().returned()).isEqualTo(5);
      assertThat(flight.straight().returned()).isEqualTo(3);
      assertThat(flight.straightFirst()).isFalse();
    }
  }

  @Test
  void packetOfAnotherEntryOrOfAMissDidNotGoThroughTheEntry() throws ProbeException {
    try (ConnectionTarget target = target()) {
      device.onPacketOut =
          out -> {
            comesBack(out, COOKIE + 1, PacketIn.Reason.ACTION);
            comesBack(out, COOKIE, PacketIn.Reason.NO_MATCH);
          };
      Flight flight = target.fly(STRUCTURE, COOKIE, 2, 1);
      assertThat(flight.through().returned()).isZero();
      assertThat(flight.straight().returned()).isEqualTo(1);
      assertThat(flight.straightFirst()).isTrue();
    }
  }

  /** Nothing moves until the target has asked for the third time: nothing is lost. */
  @Test
  void stallLosesNothing() throws ProbeException {
    try (ConnectionTarget target = target()) {
      int[] straight = {0};
      device.onPacketOut =
          out -> {
            held.add(out);
            straight[0] += isStraight(out) ? 1 : 0;
            if (straight[0] == 3) {
              held.forEach(this::comesBack);
              held.clear();
            }
          };
      Flight flight = target.fly(STRUCTURE, COOKIE, 4, 1);
      assertThat(flight.through().returned()).isEqualTo(4);
      assertThat(flight.straight().returned()).isEqualTo(1);
      assertThat(flight.straight().sent()).isEqualTo(1);
    }
  }

  @Test
  void whatIsMissingBehindAMarkerIsLost() throws ProbeException {
    try (ConnectionTarget target = target()) {
      int[] through = {0};
      device.onPacketOut =
          out -> {
            if (isStraight(out) || through[0]++ < 2) {
              comesBack(out);
            }
          };
      Flight flight = target.fly(STRUCTURE, COOKIE, 10, 1);
      assertThat(flight.through().returned()).isEqualTo(2);
      assertThat(flight.through().lostPercent()).isEqualTo(80);
      assertThat(device.packetOuts).as("no marker was needed").hasSize(11);
    }
  }

  @Test
  void flowModsThatAreNotConfirmedInTimeAreSentOnceMore() throws ProbeException {
    try (ConnectionTarget target = target()) {
      int[] sent = {0};
      device.onConfirmed =
          mod ->
              sent[0]++ < 2
                  ? new FlowModOutcome.Unknown("no answer in time")
                  : new FlowModOutcome.Installed();
      assertThat(target.change(List.of(MOD))).containsExactly(new FlowModOutcome.Installed());
      assertThat(sent[0]).isEqualTo(3);
    }
  }

  @Test
  void connectionOrMastershipThatIsLostIsAnInterruption() throws ProbeException {
    try (ConnectionTarget target = target()) {
      device.onConfirmed = mod -> new FlowModOutcome.Unknown("the connection is closed");
      assertThatExceptionOfType(ProbeException.class)
          .isThrownBy(() -> target.change(List.of(MOD)))
          .withMessageContaining("not confirmed: the connection is closed")
          .satisfies(e -> assertThat(e.wasInterrupted()).isTrue());
      device.onConfirmed = mod -> new FlowModOutcome.Refused(SwitchErrors.IS_SLAVE);
      assertThatExceptionOfType(ProbeException.class)
          .isThrownBy(() -> target.change(List.of(MOD)))
          .withMessageContaining("no longer the switch's master")
          .satisfies(e -> assertThat(e.wasInterrupted()).isTrue());
    }
  }
}
