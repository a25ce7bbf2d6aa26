package io.lockstep.dataplane.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.flowtable.Action;
import io.lockstep.dataplane.flowtable.Action.Output;
import io.lockstep.dataplane.flowtable.FlowMatch;
import io.lockstep.dataplane.flowtable.FlowMod;
import io.lockstep.dataplane.flowtable.Instructions;
import io.lockstep.dataplane.flowtable.Location;
import io.lockstep.dataplane.flowtable.ModelError;
import io.lockstep.dataplane.flowtable.PortNumbers;
import io.lockstep.dataplane.model.SwitchModel.Instance;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.packet.OxmField;
import io.lockstep.dataplane.packet.SampleFrames;
import io.lockstep.dataplane.profile.HardwareProfile;
import io.lockstep.dataplane.profile.ProfileFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A switch with a profile: slow packets, shares of the hardware, faults. */
class ProfiledSwitchTest {
  private static final long MILLI = 1_000_000;
  private static final byte[] FRAME = SampleFrames.echo();

  /** Matches on a field that hardware does not have. */
  private static final FlowMatch SENDER =
      FlowMatch.builder().exact(OxmField.ETH_SRC, SampleFrames.MAC_A.value()).build();

  private final RecordedEvents events = new RecordedEvents();
  private long nowNanos;

  private SwitchModel model(HardwareProfile profile) {
    SwitchFeatures features = new SwitchFeatures(1, profile.tables().size(), 100, 0, 1000);
    SwitchModel model = new SwitchModel(features, profile, events);
    for (int port = 1; port <= 3; port++) {
      model.addPort(port, "p" + port, new Mac(port), true, 0);
    }
    return model;
  }

  private static FlowMod port(int port, int priority, int out) {
    FlowMatch match = FlowMatch.builder().exact(OxmField.IN_PORT, port).build();
    return FlowMod.add(match, priority, Instructions.applying(Output.to(out)));
  }

  private String at(SwitchModel model, long millis) {
    events.out.clear();
    nowNanos = millis * MILLI;
    model.expire(nowNanos);
    return String.join(" ", events.out);
  }

  private int receive(SwitchModel model, int port, int packets) {
    events.out.clear();
    for (int i = 0; i < packets; i++) {
      model.receive(port, FRAME, nowNanos);
    }
    return events.out.size();
  }

  @Test
  void tapSeesEveryFlowModAndCanRefuseOrLoseIt() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("ideal"));
    List<Integer> entriesSeen = new ArrayList<>();
    model.tapFlowMods(
        (mod, tables) -> {
          if (mod.priority() == 2) {
            return Optional.of(ModelError.TABLE_FULL);
          }
          Optional<ModelError> said = mod.priority() == 3 ? Optional.empty() : tables.get();
          entriesSeen.add(model.pipeline().count(Location.HARDWARE));
          return said;
        });
    assertThat(model.flowMod(port(1, 1, 3), 0)).isEmpty();
    assertThat(model.flowMod(port(1, 2, 3), 0)).contains(ModelError.TABLE_FULL);
    assertThat(model.flowMod(port(1, 3, 3), 0)).as("confirmed and not kept").isEmpty();
    assertThat(entriesSeen).containsExactly(1, 1);
  }

  @Test
  void hardwareForwardsAtOnceAndSoftwareInItsTime() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("2920"));
    model.flowMod(FlowMod.add(SENDER, 9, Instructions.applying(Output.to(2))), 0);
    model.flowMod(port(1, 1, 3), 0);
    assertThat(receive(model, 1, 1)).isEqualTo(1);
    assertThat(events.out).containsExactly("3");
    assertThat(receive(model, 3, 1)).as("with the processor").isZero();
    assertThat(events.deadlineChanges).isEqualTo(1);
    assertThat(model.nextDeadlineNanos()).isEqualTo(300_000);
    model.expire(299_999);
    assertThat(events.out).isEmpty();
    model.expire(300_000);
    assertThat(events.out).containsExactly("2");
    assertThat(model.nextDeadlineNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void packetOutsToTheTableAreTreatedByTheEntrysPlace() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("3500yl-1.0"));
    Output toController = Output.to(PortNumbers.CONTROLLER);
    model.flowMod(FlowMod.add(SENDER, 1, Instructions.applying(toController)), 0);
    List<Action> table = List.of(Output.to(PortNumbers.TABLE));
    events.out.clear();
    for (int i = 0; i < 200; i++) {
      assertThat(model.packetOut(FlowMod.NO_BUFFER, PortNumbers.CONTROLLER, table, FRAME, 0))
          .isEmpty();
    }
    // 50 tokens and 16 places, and no answer before the latency is over.
    assertThat(events.out).hasSize(200 - 66).containsOnly("dropped PROCESSOR_BUSY");
    assertThat(at(model, 1)).startsWith("controller ACTION");
    assertThat(at(model, 1000).split("controller", -1)).hasSizeBetween(10, 67);
    assertThat(Objects.requireNonNull(model.software()).packets()).isEqualTo(66);
    model.flowMod(port(1, 1, PortNumbers.CONTROLLER), nowNanos);
    events.out.clear();
    model.packetOut(FlowMod.NO_BUFFER, 1, table, FRAME, nowNanos);
    assertThat(events.out).containsExactly("controller ACTION");
  }

  @Test
  void theShareChangesOnlyWhileOpenFlowIsDisabled() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("2920"));
    assertThat(model.setPolicyShare(5)).isFalse();
    assertThat(model.enableOpenFlow()).isFalse();
    model.flowMod(port(1, 1, 2), 0);
    assertThat(model.disableOpenFlow()).isTrue();
    assertThat(events.channel).isFalse();
    receive(model, 1, 1);
    assertThat(events.out).containsExactly("dropped OPENFLOW_OFF");
    assertThat(model.flowMod(port(1, 1, 2), 0)).contains(ModelError.NOT_PERMITTED);
    assertThat(model.setPolicyShare(5)).isTrue();
    assertThatThrownBy(() -> model.setPolicyShare(101))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(model.enableOpenFlow()).isTrue();
    assertThat(events.channel).isTrue();
    assertThat(model.pipeline().tables().get(0).entries()).isEmpty();
    for (int i = 0; i < 30; i++) {
      model.flowMod(port(1, i, 2), 0);
    }
    assertThat(model.pipeline().count(Location.HARDWARE)).isEqualTo(23);
  }

  @Test
  void aLargeShareWithManyRulesHangsUntilTheSwitchRestarts() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("3500yl-1.0").withPolicyShare(65));
    FlowMatch cheap = FlowMatch.builder().exact(OxmField.ETH_TYPE, 0x800).build();
    for (int i = 1; i <= 900; i++) {
      model.flowMod(FlowMod.add(cheap, i, Instructions.NONE), 0);
    }
    assertThat(model.instance()).isEqualTo(Instance.RUNNING);
    model.flowMod(FlowMod.add(cheap, 901, Instructions.NONE), 0);
    assertThat(model.instance()).isEqualTo(Instance.HUNG);
    assertThat(events.channel).isFalse();
    assertThat(model.disableOpenFlow()).as("the command line hangs too").isFalse();
    receive(model, 1, 1);
    assertThat(events.out).containsExactly("dropped OPENFLOW_OFF");
    model.restart();
    assertThat(model.instance()).isEqualTo(Instance.RUNNING);
    assertThat(events.channel).isTrue();
    assertThat(model.pipeline().count(Location.HARDWARE)).isZero();
  }

  @Test
  void withoutASetShareAllOfTheHardwareCanBeUsed() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("3500yl-1.0"));
    FlowMatch cheap = FlowMatch.builder().exact(OxmField.ETH_TYPE, 0x800).build();
    for (int i = 1; i <= 1600; i++) {
      model.flowMod(FlowMod.add(cheap, i, Instructions.NONE), 0);
    }
    assertThat(model.instance()).isEqualTo(Instance.RUNNING);
    assertThat(model.pipeline().count(Location.HARDWARE)).isEqualTo(1526);
  }

  @Test
  void usingAVlanTableLosesTheControllersUntilItIsEmpty() throws IOException {
    SwitchModel model = model(ProfileFile.builtIn("5130"));
    FlowMatch vlan = FlowMatch.builder().exact(OxmField.VLAN_VID, 0x1001).build();
    FlowMod mod = FlowMod.add(vlan, 1, Instructions.NONE).inTable(2).withTimeouts(0, 3);
    assertThat(model.flowMod(mod, 0)).isEmpty();
    assertThat(events.channel).isFalse();
    model.expire(2999 * MILLI);
    assertThat(events.channel).isFalse();
    model.expire(3000 * MILLI);
    assertThat(events.channel).isTrue();
  }

  @Test
  void whatTimesOutWhilePacketsAreWithTheProcessorIsSeenToo() throws IOException {
    String text =
        """
        name: both
        tables:
          - {name: a, software: {units: 10}}
          - {name: b, hardware: {units: 10}, losesController: true}
        softwarePath: {packetsPerSecond: 10, latencyMicros: 1500000}
        """;
    SwitchModel model = model(ProfileFile.parse("both.yaml", text));
    FlowMod mod = port(1, 1, 2).inTable(1).withTimeouts(0, 1);
    assertThat(model.flowMod(mod, 0)).isEmpty();
    assertThat(events.channel).isFalse();
    model.receive(1, FRAME, 0);
    model.expire(2000 * MILLI);
    assertThat(events.channel).isTrue();
  }

  @Test
  void aProfileWithOtherTablesIsRefused() throws IOException {
    HardwareProfile profile = ProfileFile.builtIn("5130");
    SwitchFeatures two = new SwitchFeatures(1, 2, 100, 0, 1000);
    assertThatThrownBy(() -> new SwitchModel(two, profile, events))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
