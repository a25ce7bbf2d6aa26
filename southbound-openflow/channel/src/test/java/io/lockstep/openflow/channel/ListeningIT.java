package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Packet;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.onosproject.net.PortNumber;

/**
 * A hand-over between two controllers at Open vSwitch: what the switch reports to both divides the
 * packets alike, and the one that listens does not act.
 */
class ListeningIT {
  private static final String BRIDGE = "listen";

  private static @Nullable OpenVSwitch shared;

  private final RecordingObserver oldObserver = new RecordingObserver();
  private final RecordingObserver nextObserver = new RecordingObserver();
  private final OpenFlowServer oldServer = server(oldObserver);
  private final OpenFlowServer nextServer = server(nextObserver);
  private final OpenVSwitch ovs = Objects.requireNonNull(shared);

  private static OpenFlowServer server(RecordingObserver observer) {
    return new OpenFlowServer(
        OpenFlowServerConfig.defaults()
            .withListen("127.0.0.1", 0)
            .withDeadlines(20_000, 5000, 20_000, 20_000, 20_000),
        observer,
        new RecordingLog());
  }

  @BeforeAll
  static void startSwitches(@TempDir Path directory) {
    OpenVSwitch.assumeAvailable();
    shared = OpenVSwitch.start(directory);
  }

  @AfterAll
  static void stopSwitches() {
    if (shared != null) {
      shared.close();
    }
  }

  @BeforeEach
  void start() throws IOException {
    oldServer.start();
    nextServer.start();
  }

  @AfterEach
  void stop() {
    ovs.deleteBridge(BRIDGE);
    oldServer.close();
    nextServer.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static byte[] frame(int number) {
    return ByteBuffer.allocate(60).putShort(12, (short) 0x88b5).putInt(16, number).array();
  }

  private static PacketOut up(int number) {
    return new PacketOut(
        PacketIn.NO_BUFFER, PortNumber.CONTROLLER, List.of(PortNumber.CONTROLLER), frame(number));
  }

  private static PacketIn awaitFrame(RecordingObserver observer, int number) {
    return observer
        .await(Packet.class, packet -> Arrays.equals(packet.packetIn().data(), frame(number)))
        .packetIn();
  }

  @ParameterizedTest
  @ValueSource(strings = {"OpenFlow10", "OpenFlow13"})
  void masterAndListenerHearAPacketOutToTheControllerAndOnlyTheMasterActs(String protocol) {
    ovs.addBridge(BRIDGE, 1);
    ovs.vsctl("set", "bridge", ovs.systemName(BRIDGE), "protocols=" + protocol);
    ovs.setControllers(
        BRIDGE, "tcp:127.0.0.1:" + oldServer.port(), "tcp:127.0.0.1:" + nextServer.port());
    SwitchConnection old = oldObserver.await(Connected.class).connection();
    SwitchConnection next = nextObserver.await(Connected.class).connection();
    assertThat(get(old.requestRole(SwitchRole.MASTER, 1))).isInstanceOf(RoleOutcome.Granted.class);
    assertThat(get(next.requestRole(SwitchRole.SLAVE, 1))).isInstanceOf(RoleOutcome.Granted.class);
    assertThat(get(next.requestRole(SwitchRole.EQUAL, 1)))
        .isInstanceOfSatisfying(
            RoleOutcome.Granted.class,
            granted -> assertThat(granted.role()).isEqualTo(SwitchRole.EQUAL));

    assertThat(old.packetOut(up(1))).isTrue();
    PacketIn atOld = awaitFrame(oldObserver, 1);
    PacketIn atNext = awaitFrame(nextObserver, 1);
    assertThat(atOld.inPort().isLogical()).isTrue();
    assertThat(atNext.inPort().isLogical()).isTrue();
    assertThat(atNext.bufferId()).isEqualTo(PacketIn.NO_BUFFER);

    assertThat(get(old.standDown())).isTrue();
    assertThat(get(next.requestRole(SwitchRole.MASTER, 2)))
        .isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 2));
    assertThat(next.packetOut(up(2))).isTrue();
    awaitFrame(nextObserver, 2);
  }

  /** With 1.3 the switch lets it act; there the node does not. */
  @Test
  void listenerOfASwitchWithoutRolesSendsNothing() {
    ovs.addBridge(BRIDGE, 1);
    ovs.vsctl("set", "bridge", ovs.systemName(BRIDGE), "protocols=OpenFlow10");
    ovs.setControllers(BRIDGE, "tcp:127.0.0.1:" + nextServer.port());
    SwitchConnection next = nextObserver.await(Connected.class).connection();
    assertThat(get(next.requestRole(SwitchRole.EQUAL, 1))).isInstanceOf(RoleOutcome.Granted.class);
    assertThat(next.packetOut(up(1))).isFalse();
  }
}
