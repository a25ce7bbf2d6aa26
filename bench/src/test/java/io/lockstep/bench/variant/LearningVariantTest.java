package io.lockstep.bench.variant;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.apps.learningswitch.LearningSwitch;
import io.lockstep.bench.variant.VariantNode.TracedApplication;
import io.lockstep.core.app.ApplicationConfiguration;
import io.lockstep.core.app.ApplicationProvider;
import io.lockstep.core.app.Decision;
import io.lockstep.core.app.Instruction;
import io.lockstep.core.app.NetworkView;
import io.lockstep.core.app.PacketApplication;
import io.lockstep.core.link.SwitchPort;
import io.lockstep.core.topology.NetworkPicture;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.PortNumber;

/** The learning switch in each column of the paper's tables, on the real state machine. */
class LearningVariantTest {
  private static final long ALL = 0xffff_ffff_ffffL;
  private static final long A = 0x0200_0000_000aL;
  private static final long B = 0x0200_0000_000bL;

  private static final NetworkView NETWORK =
      new NetworkPicture(1, List.of(new SwitchPort(1, 1), new SwitchPort(1, 2)), List.of());

  private static PacketApplication application(PlayedStore store) {
    ApplicationProvider provider =
        store.node.catalog().providers().stream()
            .filter(one -> one.name().equals(LearningSwitch.NAME))
            .findFirst()
            .orElseThrow();
    return provider.create(ApplicationConfiguration.usual(provider.configuration()));
  }

  private static List<Instruction> send(
      PlayedStore store, PacketApplication application, long port, long to, long from) {
    PlayedFrame frame = PlayedFrame.of(port, to, from, 0x0800, new byte[20]);
    return store.end(application.packetIn(frame, NETWORK)) instanceof Decision.Act act
        ? act.instructions()
        : List.of();
  }

  @ParameterizedTest
  @EnumSource(value = Variant.class, mode = EnumSource.Mode.EXCLUDE, names = "OWN")
  void asksWhatThePaperAsksAndFindsTheDestination(Variant variant) {
    PlayedStore store = new PlayedStore(TracedApplication.LEARNING_SWITCH, variant);
    PacketApplication application = application(store);
    assertThat(send(store, application, 1, ALL, A)).containsExactly(new Instruction.Flood());
    store.assertLastAsInThePaper("ls-bcast", variant);
    List<Instruction> decided = send(store, application, 2, A, B);
    store.assertLastAsInThePaper("ls-ucast", variant);
    assertThat(decided).hasSize(2).contains(new Instruction.Forward(PortNumber.portNumber(1)));
    assertThat(decided.get(0)).isInstanceOf(Instruction.InstallFlow.class);
    assertThat(send(store, application, 1, 0x0200_0000_0099L, A))
        .as("an unknown destination")
        .containsExactly(new Instruction.Flood());
  }

  @Test
  void ownIsOneCall() {
    PlayedStore store = new PlayedStore(TracedApplication.LEARNING_SWITCH, Variant.OWN);
    PacketApplication application = application(store);
    send(store, application, 1, ALL, A);
    assertThat(send(store, application, 2, A, B))
        .contains(new Instruction.Forward(PortNumber.portNumber(1)));
    assertThat(store.events).allSatisfy(event -> assertThat(event.operations()).hasSize(1));
    assertThat(store.last().operations().get(0).target()).isEqualTo("learning-switch.learn-vlan");
  }

  /** Table II: in the worst case two messages, in the best case none. */
  @Test
  void theCacheLeavesOutWhatItKnows() {
    PlayedStore store = new PlayedStore(TracedApplication.LEARNING_SWITCH, Variant.CACHE);
    PacketApplication application = application(store);
    send(store, application, 1, ALL, A);
    send(store, application, 2, ALL, B);
    store.term = 2;
    send(store, application, 2, A, B);
    assertThat(store.sent()).as("another mastership knows nothing").isEqualTo(2);
    store.passMillis(3_600_000);
    assertThat(send(store, application, 2, A, B))
        .contains(new Instruction.Forward(PortNumber.portNumber(1)));
    assertThat(store.sent()).as("exact, however old").isZero();
    store.assertLastAsInThePaper("ls-ucast", Variant.CACHE);
    send(store, application, 2, ALL, A);
    assertThat(store.sent()).as("the host is elsewhere").isEqualTo(1);
    assertThat(send(store, application, 1, A, B))
        .contains(new Instruction.Forward(PortNumber.portNumber(2)));
  }
}
