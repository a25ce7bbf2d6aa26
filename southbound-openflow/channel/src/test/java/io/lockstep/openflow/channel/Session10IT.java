package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.SwitchErrors;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Disconnected;
import io.lockstep.openflow.channel.RecordingObserver.Failed;
import io.lockstep.openflow.channel.RecordingObserver.Packet;
import io.lockstep.openflow.channel.RecordingObserver.PortStatus;
import io.lockstep.openflow.channel.RecordingObserver.Removed;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.VlanId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFFlowDelete;
import org.projectfloodlight.openflow.protocol.OFFlowDeleteStrict;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFPacketInReason;
import org.projectfloodlight.openflow.protocol.OFPacketOut;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFTableStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.protocol.match.MatchField;
import org.projectfloodlight.openflow.types.OFBufferId;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

/** The channel with a switch that speaks OpenFlow 1.0 only. */
class Session10IT {
  private static final OFErrorCauseData NO_DATA = OFErrorCauseData.of(new byte[0], OFVersion.OF_10);
  private static final PacketOut NOTHING =
      new PacketOut(
          PacketIn.NO_BUFFER,
          PortNumber.CONTROLLER,
          List.of(PortNumber.portNumber(1)),
          new byte[] {7});

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          log);
  private final ScriptedSwitch device;
  private final SwitchConnection connection;

  Session10IT() throws IOException {
    server.start();
    device = ScriptedSwitch.connect(server.port());
    device.handshake10(0x10);
    connection = observer.await(Connected.class).connection();
  }

  @AfterEach
  void stop() {
    device.close();
    server.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static TrafficSelector from(int port) {
    return DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(port)).build();
  }

  private static FlowMod mod(
      FlowMod.Operation operation, long cookie, long mask, TrafficSelector selector) {
    TrafficTreatment nothing = DefaultTrafficTreatment.emptyTreatment();
    return new FlowMod(
        operation, 0, 10, cookie, mask, 0, 0, false, PacketIn.NO_BUFFER, selector, nothing);
  }

  private static FlowMod add(int port) {
    return mod(FlowMod.Operation.ADD, port, 0, from(port));
  }

  private void becomeMaster() {
    CompletableFuture<RoleOutcome> role = connection.requestRole(SwitchRole.MASTER, 3);
    device.answerBarrier();
    assertThat(get(role)).isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 3));
  }

  private static OFMessage packetIn(int last) {
    return ScriptedSwitch.OF10
        .buildPacketIn()
        .setBufferId(OFBufferId.NO_BUFFER)
        .setInPort(OFPort.of(2))
        .setReason(OFPacketInReason.NO_MATCH)
        .setTotalLen(1)
        .setData(new byte[] {(byte) last})
        .build();
  }

  @Test
  void switchIsReportedWithThePortsOfItsFeatures() {
    assertThat(connection.features().protocol()).isEqualTo("OpenFlow 1.0");
    assertThat(connection.features().isOpenFlow10()).isTrue();
    assertThat(connection.features().manufacturer()).isEqualTo("old");
    assertThat(connection.ports())
        .extracting(PortDescription::portNumber, PortDescription::portSpeed)
        .containsExactly(
            tuple(PortNumber.portNumber(1), 100L), tuple(PortNumber.portNumber(2), 100L));
  }

  @Test
  void highestCommonVersionIsSpokenWithASwitchThatKnowsBoth() {
    try (ScriptedSwitch both = ScriptedSwitch.connect(server.port())) {
      both.handshake(0x13);
      assertThat(observer.await(Connected.class).connection().features().protocol())
          .isEqualTo("OpenFlow 1.3");
    }
  }

  /** Who is not master neither speaks nor hears: the switch would obey and tell everybody. */
  @Test
  void connectionIsSilentUntilItIsGrantedMaster() {
    device.send(packetIn(1));
    assertThat(connection.packetOut(NOTHING)).isFalse();
    assertThat(get(connection.flowModsConfirmed(List.of(add(1)))))
        .containsExactly(new FlowModOutcome.Refused(SwitchErrors.IS_SLAVE));
    assertThat(connection.flowMods(List.of(add(2)))).isTrue();
    assertThat(observer.await(Failed.class))
        .isEqualTo(new Failed(connection, add(2), SwitchErrors.IS_SLAVE));
    CompletableFuture<RoleOutcome> role = connection.requestRole(SwitchRole.MASTER, 3);
    // The barrier is the first message that changes or asks anything.
    OFMessage barrier = device.await(OFMessage.class);
    assertThat(barrier).isInstanceOf(OFBarrierRequest.class);
    assertThat(role).isNotDone();
    device.send(packetIn(2));
    device.send(ScriptedSwitch.OF10.buildBarrierReply().setXid(barrier.getXid()).build());
    assertThat(get(role)).isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 3));
    device.send(packetIn(3));
    assertThat(observer.await(Packet.class).packetIn().data()).containsExactly(3);
    // What the observer answers to the packet that it was told of.
    assertThat(device.await(OFPacketOut.class).getData()).containsExactly(3);
    assertThat(connection.packetOut(NOTHING)).isTrue();
    assertThat(device.await(OFPacketOut.class).getData()).containsExactly(7);
  }

  @Test
  void connectionThatStandsDownIsSilentAtOnceAndSaysWhenAllIsCarriedOut() {
    becomeMaster();
    connection.flowMods(List.of(add(1)));
    CompletableFuture<Boolean> still = connection.standDown();
    connection.flowMods(List.of(add(2)));
    assertThat(observer.await(Failed.class).error()).isEqualTo(SwitchErrors.IS_SLAVE);
    assertThat(device.await(OFMessage.class)).isInstanceOf(OFFlowMod.class);
    OFMessage barrier = device.await(OFMessage.class);
    assertThat(barrier).isInstanceOf(OFBarrierRequest.class);
    assertThat(still).isNotDone();
    device.send(ScriptedSwitch.OF10.buildBarrierReply().setXid(barrier.getXid()).build());
    assertThat(get(still)).isTrue();
    assertThat(connection.packetOut(NOTHING)).isFalse();
  }

  @Test
  void masterThatWasSentAwayMeanwhileIsNotGranted() {
    CompletableFuture<RoleOutcome> master = connection.requestRole(SwitchRole.MASTER, 3);
    long first = device.await(OFBarrierRequest.class).getXid();
    CompletableFuture<RoleOutcome> slave = connection.requestRole(SwitchRole.SLAVE, 4);
    long second = device.await(OFBarrierRequest.class).getXid();
    device.send(
        ScriptedSwitch.OF10.buildBarrierReply().setXid(first).build(),
        ScriptedSwitch.OF10.buildBarrierReply().setXid(second).build());
    assertThat(get(master)).isInstanceOf(RoleOutcome.Failed.class);
    assertThat(get(slave)).isEqualTo(new RoleOutcome.Granted(SwitchRole.SLAVE, 4));
    assertThat(connection.packetOut(NOTHING)).isFalse();
  }

  @Test
  void fullTableHasTheSameNameAsInLaterVersions() {
    becomeMaster();
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.flowModsConfirmed(List.of(add(1), add(2)));
    device.await(OFFlowMod.class);
    long second = device.await(OFFlowMod.class).getXid();
    device.send(
        ScriptedSwitch.OF10
            .errorMsgs()
            .buildFlowModFailedErrorMsg()
            .setXid(second)
            .setCode(OFFlowModFailedCode.ALL_TABLES_FULL)
            .setData(NO_DATA)
            .build());
    device.answerBarrier();
    assertThat(get(outcomes))
        .containsExactly(
            new FlowModOutcome.Installed(), new FlowModOutcome.Refused(SwitchErrors.TABLE_FULL));
    assertThat(SwitchErrors.isTableFull(SwitchErrors.TABLE_FULL)).isTrue();
  }

  @Test
  void whatCannotBeSaidIsRefusedAndTheRestIsSent() {
    becomeMaster();
    TrafficSelector anyVlan = DefaultTrafficSelector.builder().matchVlanId(VlanId.ANY).build();
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.flowModsConfirmed(List.of(mod(FlowMod.Operation.ADD, 1, 0, anyVlan), add(2)));
    device.await(OFFlowMod.class);
    device.answerBarrier();
    assertThat(get(outcomes).get(0)).isInstanceOf(FlowModOutcome.Refused.class);
    assertThat(get(outcomes).get(0).toString()).contains("VLAN_VID");
    assertThat(get(outcomes).get(1)).isEqualTo(new FlowModOutcome.Installed());
  }

  private static OFFlowStatsEntry entry(int port, long cookie) {
    return ScriptedSwitch.OF10
        .buildFlowStatsEntry()
        .setTableId(TableId.ZERO)
        .setPriority(port)
        .setCookie(U64.of(cookie))
        .setMatch(
            ScriptedSwitch.OF10.buildMatch().setExact(MatchField.IN_PORT, OFPort.of(port)).build())
        .build();
  }

  /** 1.0 deletes know no cookie: others' entries stay, and what is sent behind comes behind. */
  @Test
  void deleteByCookieIsAReadAndStrictDeletesInOrder() {
    becomeMaster();
    FlowMod delete =
        mod(FlowMod.Operation.DELETE, 0xa0, 0xf0, DefaultTrafficSelector.emptySelector());
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.flowModsConfirmed(List.of(delete, add(9)));
    assertThat(connection.packetOut(NOTHING)).isTrue();
    long read = device.await(OFFlowStatsRequest.class).getXid();
    device.send(
        ScriptedSwitch.OF10
            .buildFlowStatsReply()
            .setXid(read)
            .setEntries(List.of(entry(1, 0xa1), entry(2, 0xb2), entry(3, 0xa3)))
            .build());
    OFMessage first = device.await(OFMessage.class);
    assertThat(first).isInstanceOf(OFFlowDeleteStrict.class);
    assertThat(((OFFlowDeleteStrict) first).getPriority()).isEqualTo(1);
    assertThat(device.await(OFFlowDeleteStrict.class).getPriority()).isEqualTo(3);
    device.answerBarrier();
    assertThat(device.await(OFMessage.class)).isInstanceOf(OFFlowMod.class);
    device.answerBarrier();
    assertThat(device.await(OFMessage.class)).isInstanceOf(OFPacketOut.class);
    assertThat(get(outcomes))
        .containsExactly(new FlowModOutcome.Installed(), new FlowModOutcome.Installed());
  }

  @Test
  void deleteWithoutCookieIsOneMessage() {
    becomeMaster();
    connection.flowMods(List.of(mod(FlowMod.Operation.DELETE, 0, 0, from(1))));
    assertThat(device.await(OFMessage.class)).isInstanceOf(OFFlowDelete.class);
  }

  @Test
  void connectionThatEndsInADeleteByCookieLeavesNothingOpen() {
    becomeMaster();
    FlowMod delete =
        mod(FlowMod.Operation.DELETE, 0xa0, 0xf0, DefaultTrafficSelector.emptySelector());
    CompletableFuture<List<FlowModOutcome>> first = connection.flowModsConfirmed(List.of(delete));
    CompletableFuture<List<FlowModOutcome>> behind = connection.flowModsConfirmed(List.of(add(1)));
    device.await(OFFlowStatsRequest.class);
    device.close();
    assertThat(get(first).get(0)).isInstanceOf(FlowModOutcome.Unknown.class);
    assertThat(get(behind).get(0)).isInstanceOf(FlowModOutcome.Unknown.class);
  }

  @Test
  void statisticsAreReadWithoutBeingMaster() {
    CompletableFuture<Answer<List<FlowStats>>> flows = connection.flowStats();
    long xid = device.await(OFFlowStatsRequest.class).getXid();
    device.send(
        ScriptedSwitch.OF10
            .buildFlowStatsReply()
            .setXid(xid)
            .setEntries(List.of(entry(1, 5)))
            .build());
    List<FlowStats> read = ((Answer.Of<List<FlowStats>>) get(flows)).value();
    assertThat(read.get(0).selector()).isEqualTo(from(1));
    assertThat(read.get(0).cookie()).isEqualTo(5);
    CompletableFuture<Answer<List<TableStats>>> tables = connection.tableStats();
    long asked = device.await(OFTableStatsRequest.class).getXid();
    device.send(
        ScriptedSwitch.OF10
            .buildTableStatsReply()
            .setXid(asked)
            .setEntries(
                List.of(
                    ScriptedSwitch.OF10
                        .buildTableStatsEntry()
                        .setTableId(TableId.ZERO)
                        .setName("hw")
                        .setMaxEntries(460)
                        .setActiveCount(7)
                        .setLookupCount(U64.of(9))
                        .setMatchedCount(U64.of(8))
                        .build()))
            .build());
    assertThat(((Answer.Of<List<TableStats>>) get(tables)).value())
        .containsExactly(new TableStats(0, 7, 9, 8));
  }

  @Test
  void portsAndRemovedEntriesAreTold() {
    becomeMaster();
    device.send(
        ScriptedSwitch.OF10
            .buildPortStatus()
            .setXid(0)
            .setReason(OFPortReason.DELETE)
            .setDesc(ScriptedSwitch.port10(2))
            .build(),
        ScriptedSwitch.OF10
            .buildFlowRemoved()
            .setXid(0)
            .setMatch(entry(1, 0).getMatch())
            .setCookie(U64.of(5))
            .setPriority(10)
            .setReason(OFFlowRemovedReason.IDLE_TIMEOUT)
            .build());
    assertThat(observer.await(PortStatus.class).port().isEnabled()).isFalse();
    assertThat(connection.ports()).hasSize(1);
    assertThat(observer.await(Removed.class).flowRemoved().selector()).isEqualTo(from(1));
  }

  @Test
  void garbageEndsTheConnectionAndNoOther() {
    try (ScriptedSwitch healthy = ScriptedSwitch.connect(server.port())) {
      healthy.handshake(0x13);
      observer.await(Connected.class);
      // Flow statistics whose only entry says that it has no length.
      device.sendHex("01110064 00000001 00010000" + "0000".repeat(44));
      assertThat(observer.await(Disconnected.class).connection()).isEqualTo(connection);
      log.await("WARN", "of:0000000000000010 disconnected");
      healthy.assertServed();
    }
  }
}
