package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Failed;
import io.lockstep.openflow.channel.RecordingObserver.Packet;
import io.lockstep.openflow.channel.RecordingObserver.PortStatus;
import io.lockstep.openflow.channel.RecordingObserver.Removed;
import io.lockstep.openflow.channel.RecordingObserver.RoleLost;
import io.lockstep.openflow.channel.ovs.OpenVSwitch;
import io.lockstep.openflow.channel.ovs.OvsHost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
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
import org.onlab.packet.MacAddress;
import org.onlab.packet.TpPort;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;

/** The channel with a real switch: Open vSwitch in user space. */
class OpenVSwitchIT {
  private static final TrafficSelector ALL = DefaultTrafficSelector.emptySelector();

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server = server(observer, log);
  private String bridge = "";
  private static @Nullable OpenVSwitch shared;
  private static int bridges;

  private final OpenVSwitch ovs = Objects.requireNonNull(shared);

  private static OpenFlowServer server(RecordingObserver observer, RecordingLog log) {
    return new OpenFlowServer(
        OpenFlowServerConfig.defaults()
            .withListen("127.0.0.1", 0)
            .withDeadlines(20_000, 5000, 20_000, 20_000, 20_000),
        observer,
        log);
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
    server.start();
    bridges++;
    bridge = "s" + bridges;
  }

  @AfterEach
  void stop() {
    ovs.deleteBridge(bridge);
    server.close();
  }

  private String controller() {
    return "tcp:127.0.0.1:" + server.port();
  }

  private SwitchConnection connect(long dpid) {
    ovs.addBridge(bridge, dpid, controller());
    return observer.await(Connected.class).connection();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(30, TimeUnit.SECONDS).join();
  }

  private static FlowMod mod(
      FlowMod.Operation operation, int priority, TrafficSelector selector, TrafficTreatment does) {
    return new FlowMod(
        operation, 0, priority, 0xabc, 0, 0, 0, true, PacketIn.NO_BUFFER, selector, does);
  }

  private static TrafficTreatment output(PortNumber port) {
    return DefaultTrafficTreatment.builder().setOutput(port).build();
  }

  private static TrafficSelector toMac(int last) {
    return DefaultTrafficSelector.builder()
        .matchEthDst(MacAddress.valueOf(0x020000000000L + last))
        .build();
  }

  private static List<FlowStats> flows(SwitchConnection connection) {
    return ((Answer.Of<List<FlowStats>>) get(connection.flowStats())).value();
  }

  @Test
  void handshakeShowsWhatTheSwitchIs() {
    SwitchConnection connection = connect(0x51);
    assertThat(connection.deviceId()).hasToString("of:0000000000000051");
    assertThat(connection.features().manufacturer()).contains("Nicira");
    assertThat(connection.features().hardware()).isEqualTo("Open vSwitch");
    assertThat(connection.features().tables()).isEqualTo(254);
    assertThat(connection.ports())
        .singleElement()
        .satisfies(port -> assertThat(port.portNumber()).isEqualTo(PortNumber.LOCAL));
  }

  @Test
  void generationIdsFenceRoles() {
    SwitchConnection connection = connect(1);
    assertThat(get(connection.requestRole(SwitchRole.MASTER, 7)))
        .isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 7));
    assertThat(get(connection.requestRole(SwitchRole.MASTER, 5)))
        .isEqualTo(new RoleOutcome.Stale(7));
    assertThat(get(connection.requestRole(SwitchRole.SLAVE, 8)))
        .isEqualTo(new RoleOutcome.Granted(SwitchRole.SLAVE, 8));
    List<FlowModOutcome> refused =
        get(
            connection.flowModsConfirmed(
                List.of(mod(FlowMod.Operation.ADD, 1, ALL, output(PortNumber.ALL)))));
    assertThat(refused).containsExactly(new FlowModOutcome.Refused("BAD_REQUEST/IS_SLAVE"));
  }

  @Test
  void newMasterDemotesTheOldOneWhichHearsOfIt() throws IOException {
    RecordingObserver otherObserver = new RecordingObserver();
    try (OpenFlowServer other = server(otherObserver, new RecordingLog())) {
      other.start();
      ovs.addBridge(bridge, 1, controller(), "tcp:127.0.0.1:" + other.port());
      SwitchConnection old = observer.await(Connected.class).connection();
      SwitchConnection young = otherObserver.await(Connected.class).connection();
      assertThat(get(old.requestRole(SwitchRole.MASTER, 1)))
          .isInstanceOf(RoleOutcome.Granted.class);
      assertThat(get(young.requestRole(SwitchRole.MASTER, 2)))
          .isInstanceOf(RoleOutcome.Granted.class);
      FlowMod late = mod(FlowMod.Operation.ADD, 1, ALL, output(PortNumber.ALL));
      assertThat(old.flowMods(List.of(late))).isTrue();
      assertThat(observer.await(Failed.class).mod()).isEqualTo(late);
      assertThat(observer.await(RoleLost.class).connection()).isSameAs(old);
      assertThat(get(old.requestRole(SwitchRole.MASTER, 1))).isEqualTo(new RoleOutcome.Stale(2));
    }
  }

  @Test
  void flowsAreInstalledReadBackEqualAndDeleted() {
    SwitchConnection connection = connect(1);
    TrafficSelector web =
        DefaultTrafficSelector.builder()
            .matchInPort(PortNumber.portNumber(1))
            .matchEthType((short) 0x800)
            .matchVlanId(VlanId.vlanId((short) 9))
            .matchIPDst(IpPrefix.valueOf("10.1.0.0/16"))
            .matchIPProtocol((byte) 6)
            .matchTcpDst(TpPort.tpPort(80))
            .build();
    TrafficTreatment rewritten =
        DefaultTrafficTreatment.builder()
            .popVlan()
            .setEthDst(MacAddress.valueOf("02:00:00:00:00:05"))
            .decNwTtl()
            .setOutput(PortNumber.portNumber(2))
            .transition(3)
            .build();
    TrafficSelector anyTag = DefaultTrafficSelector.builder().matchVlanId(VlanId.ANY).build();
    List<FlowMod> adds =
        List.of(
            mod(FlowMod.Operation.ADD, 100, web, rewritten),
            mod(FlowMod.Operation.ADD, 50, anyTag, DefaultTrafficTreatment.builder().build()),
            mod(FlowMod.Operation.ADD, 10, toMac(9), output(PortNumber.CONTROLLER)));
    assertThat(get(connection.flowModsConfirmed(adds)))
        .allMatch(FlowModOutcome.Installed.class::isInstance);
    List<FlowStats> installed = flows(connection);
    assertThat(installed).hasSize(3);
    for (FlowMod add : adds) {
      assertThat(installed)
          .anySatisfy(
              flow -> {
                assertThat(flow.selector()).isEqualTo(add.selector());
                assertThat(flow.treatment()).isEqualTo(add.treatment());
                assertThat(flow.priority()).isEqualTo(add.priority());
                assertThat(flow.cookie()).isEqualTo(0xabc);
              });
    }
    List<TableStats> tables = ((Answer.Of<List<TableStats>>) get(connection.tableStats())).value();
    assertThat(tables.get(0).activeEntries()).isEqualTo(3);
    get(
        connection.flowModsConfirmed(
            List.of(
                mod(FlowMod.Operation.DELETE, 0, ALL, output(PortNumber.portNumber(2))),
                mod(FlowMod.Operation.DELETE_STRICT, 50, anyTag, output(PortNumber.ANY)))));
    assertThat(flows(connection))
        .singleElement()
        .satisfies(flow -> assertThat(flow.selector()).isEqualTo(toMac(9)));
    FlowRemoved removed = observer.await(Removed.class).flowRemoved();
    assertThat(removed.reason()).isEqualTo(FlowRemoved.Reason.DELETE);
    assertThat(removed.selector()).isEqualTo(web);
  }

  @Test
  void fullTableIsSaidByName() {
    SwitchConnection connection = connect(1);
    ovs.limitFlows(bridge, 0, 5);
    List<FlowMod> mods = new ArrayList<>();
    for (int i = 1; i <= 7; i++) {
      mods.add(mod(FlowMod.Operation.ADD, 10, toMac(i), output(PortNumber.ALL)));
    }
    List<FlowModOutcome> outcomes = get(connection.flowModsConfirmed(mods));
    assertThat(outcomes.subList(0, 5)).allMatch(FlowModOutcome.Installed.class::isInstance);
    assertThat(outcomes.subList(5, 7))
        .containsOnly(new FlowModOutcome.Refused("FLOW_MOD_FAILED/TABLE_FULL"));
    assertThat(connection.flowMods(List.of(mods.get(6)))).isTrue();
    assertThat(observer.await(Failed.class))
        .isEqualTo(new Failed(connection, mods.get(6), "FLOW_MOD_FAILED/TABLE_FULL"));
    assertThat(flows(connection)).hasSize(5);
  }

  @Test
  void missingPrerequisiteIsSaidByName() {
    SwitchConnection connection = connect(1);
    TrafficSelector noType =
        DefaultTrafficSelector.builder().matchIPDst(IpPrefix.valueOf("10.0.0.0/8")).build();
    assertThat(
            get(
                connection.flowModsConfirmed(
                    List.of(mod(FlowMod.Operation.ADD, 1, noType, output(PortNumber.ALL))))))
        .containsExactly(new FlowModOutcome.Refused("BAD_MATCH/BAD_PREREQ"));
  }

  @Test
  void portsComeChangeAndGo() {
    SwitchConnection connection = connect(1);
    ovs.addHost(bridge, "h1", "10.0.0.1/24", "02:00:00:00:00:01");
    PortStatus added = observer.await(PortStatus.class, e -> e.change() == PortChange.ADDED);
    PortNumber number = PortNumber.portNumber(ovs.portNumber("h1"));
    assertThat(added.port().portNumber()).isEqualTo(number);
    assertThat(connection.ports()).hasSize(2);
    ovs.setLink("h1", false);
    observer.await(
        PortStatus.class, e -> e.change() == PortChange.MODIFIED && !e.port().isEnabled());
    ovs.setLink("h1", true);
    observer.await(
        PortStatus.class, e -> e.change() == PortChange.MODIFIED && e.port().isEnabled());
    ovs.vsctl("del-port", ovs.systemName("h1"));
    PortStatus removed = observer.await(PortStatus.class, e -> e.change() == PortChange.REMOVED);
    assertThat(removed.port().portNumber()).isEqualTo(number);
    assertThat(connection.ports()).hasSize(1);
  }

  @Test
  void hostsPingThroughTheSwitchAndItsMissesComeUp() {
    SwitchConnection connection = connect(1);
    OvsHost h1 = ovs.addHost(bridge, "h3", "10.0.0.1/24", "02:00:00:00:00:01");
    OvsHost h2 = ovs.addHost(bridge, "h4", "10.0.0.2/24", "02:00:00:00:00:02");
    assertThat(h1.pings(h2, 1)).isFalse();
    get(
        connection.flowModsConfirmed(
            List.of(mod(FlowMod.Operation.ADD, 0, ALL, output(PortNumber.CONTROLLER)))));
    assertThat(h1.pings(h2, 1)).isFalse();
    PacketIn miss = observer.await(Packet.class).packetIn();
    assertThat(miss.reason()).isEqualTo(PacketIn.Reason.NO_MATCH);
    assertThat(miss.inPort()).isEqualTo(PortNumber.portNumber(ovs.portNumber("h3")));
    assertThat(miss.data()).hasSize(miss.totalLength());
    get(
        connection.flowModsConfirmed(
            List.of(mod(FlowMod.Operation.ADD, 1, ALL, output(PortNumber.FLOOD)))));
    assertThat(h1.pings(h2, 20)).isTrue();
  }

  @Test
  void bridgeThatSpeaksOnlyOpenFlow11IsRefusedWithTheReason() {
    ovs.addBridge(bridge, 1);
    ovs.vsctl("set", "bridge", ovs.systemName(bridge), "protocols=OpenFlow11");
    ovs.setControllers(bridge, controller());
    log.await("WARN", "no common OpenFlow version", "OpenFlow 1.1", "OpenFlow 1.3");
  }
}
