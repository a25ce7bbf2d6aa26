package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Packet;
import io.lockstep.openflow.channel.RecordingObserver.Removed;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.onlab.packet.IpPrefix;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** The channel with Open vSwitch as a switch that speaks OpenFlow 1.0 only. */
class OpenVSwitch10IT {
  private static final TrafficSelector ALL = DefaultTrafficSelector.emptySelector();

  private static @Nullable OpenVSwitch shared;
  private static int bridges;

  private final RecordingObserver observer = new RecordingObserver();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(20_000, 5000, 20_000, 20_000, 20_000),
          observer,
          new RecordingLog());
  private final OpenVSwitch ovs = Objects.requireNonNull(shared);
  private String bridge = "";

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
    server.start();
    bridges++;
    bridge = "t" + bridges;
  }

  @AfterEach
  void stop() {
    ovs.deleteBridge(bridge);
    server.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  /** A bridge of 1.0, and its connection as its master. */
  private SwitchConnection master() {
    ovs.addBridge(bridge, 1);
    ovs.vsctl("set", "bridge", ovs.systemName(bridge), "protocols=OpenFlow10");
    ovs.setControllers(bridge, "tcp:127.0.0.1:" + server.port());
    SwitchConnection connection = observer.await(Connected.class).connection();
    assertThat(get(connection.requestRole(SwitchRole.MASTER, 1)))
        .isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 1));
    return connection;
  }

  private static FlowMod mod(
      FlowMod.Operation operation,
      long cookie,
      long mask,
      TrafficSelector selector,
      TrafficTreatment treatment) {
    return new FlowMod(
        operation, 0, 10, cookie, mask, 0, 0, true, PacketIn.NO_BUFFER, selector, treatment);
  }

  private static FlowMod add(long cookie, TrafficSelector selector, PortNumber port) {
    TrafficTreatment output = DefaultTrafficTreatment.builder().setOutput(port).build();
    return mod(FlowMod.Operation.ADD, cookie, 0, selector, output);
  }

  private static TrafficSelector vlan(int id) {
    return DefaultTrafficSelector.builder().matchVlanId(VlanId.vlanId((short) id)).build();
  }

  private static List<FlowStats> flows(SwitchConnection connection) {
    return ((Answer.Of<List<FlowStats>>) get(connection.flowStats())).value();
  }

  @Test
  void handshakeShowsWhatTheSwitchIs() {
    SwitchConnection connection = master();
    assertThat(connection.features().protocol()).isEqualTo("OpenFlow 1.0");
    assertThat(connection.features().hardware()).isEqualTo("Open vSwitch");
    assertThat(connection.ports())
        .singleElement()
        .satisfies(port -> assertThat(port.portNumber()).isEqualTo(PortNumber.LOCAL));
  }

  /** The DSCP is what the switch's own tool shows as type of service. */
  @Test
  void whatIsInstalledIsWhatTheSwitchShowsAndSaysBack() {
    SwitchConnection connection = master();
    TrafficSelector web =
        DefaultTrafficSelector.builder()
            .matchVlanId(VlanId.NONE)
            .matchEthType((short) 0x800)
            .matchIPDscp((byte) 46)
            .matchIPProtocol((byte) 6)
            .matchIPDst(IpPrefix.valueOf("10.1.0.0/16"))
            .matchTcpDst(TpPort.tpPort(80))
            .build();
    assertThat(get(connection.flowModsConfirmed(List.of(add(7, web, PortNumber.CONTROLLER)))))
        .containsExactly(new FlowModOutcome.Installed());
    assertThat(ovs.appctl("bridge/dump-flows", ovs.systemName(bridge)))
        .contains("vlan_tci=0x0000", "nw_dst=10.1.0.0/16", "nw_tos=184", "tp_dst=80");
    assertThat(flows(connection))
        .singleElement()
        .satisfies(
            flow -> {
              assertThat(flow.selector()).isEqualTo(web);
              assertThat(flow.cookie()).isEqualTo(7);
            });
    FlowMod remove =
        mod(FlowMod.Operation.DELETE_STRICT, 7, -1, web, DefaultTrafficTreatment.emptyTreatment());
    get(connection.flowModsConfirmed(List.of(remove)));
    assertThat(flows(connection)).isEmpty();
    FlowRemoved removed = observer.await(Removed.class).flowRemoved();
    assertThat(removed.selector()).isEqualTo(web);
  }

  @Test
  void fullTableHasTheSameNameAsIn13() {
    SwitchConnection connection = master();
    ovs.limitFlows(bridge, 0, 3);
    List<FlowMod> mods = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      mods.add(add(i, vlan(i), PortNumber.ALL));
    }
    List<FlowModOutcome> outcomes = get(connection.flowModsConfirmed(mods));
    assertThat(outcomes.subList(0, 3)).allMatch(FlowModOutcome.Installed.class::isInstance);
    assertThat(outcomes.subList(3, 5))
        .containsOnly(new FlowModOutcome.Refused(SwitchErrors.TABLE_FULL));
  }

  @Test
  void deleteByCookieLeavesTheEntriesOfOthers() {
    SwitchConnection connection = master();
    get(
        connection.flowModsConfirmed(
            List.of(
                add(0xa1, vlan(1), PortNumber.ALL),
                add(0xb1, vlan(2), PortNumber.ALL),
                add(0xa2, vlan(3), PortNumber.LOCAL))));
    TrafficTreatment toAll = DefaultTrafficTreatment.builder().setOutput(PortNumber.ALL).build();
    get(
        connection.flowModsConfirmed(
            List.of(mod(FlowMod.Operation.DELETE, 0xa0, 0xf0, ALL, toAll))));
    assertThat(flows(connection)).extracting(FlowStats::cookie).containsOnly(0xb1L, 0xa2L);
  }

  @Test
  void packetOutThroughTheTableComesBackAndMissesComeUp() {
    SwitchConnection connection = master();
    OvsHost h1 = ovs.addHost(bridge, "g1", "10.0.0.1/24", "02:00:00:00:00:01");
    OvsHost h2 = ovs.addHost(bridge, "g2", "10.0.0.2/24", "02:00:00:00:00:02");
    byte[] frame = new byte[64];
    frame[12] = 0x12;
    frame[13] = 0x34;
    assertThat(
            connection.packetOut(
                new PacketOut(
                    PacketIn.NO_BUFFER, PortNumber.CONTROLLER, List.of(PortNumber.TABLE), frame)))
        .isTrue();
    Packet back =
        observer.await(Packet.class, packet -> Arrays.equals(packet.packetIn().data(), frame));
    assertThat(back.packetIn().reason()).isEqualTo(PacketIn.Reason.NO_MATCH);
    assertThat(h1.pings(h2, 1)).isFalse();
    observer.await(
        Packet.class,
        packet -> packet.packetIn().inPort().equals(PortNumber.portNumber(ovs.portNumber("g1"))));
    get(connection.flowModsConfirmed(List.of(add(1, ALL, PortNumber.FLOOD))));
    assertThat(h1.pings(h2, 20)).isTrue();
  }
}
