package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.FlowRemoved;
import io.lockstep.core.southbound.FlowStats;
import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.core.southbound.TableStats;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Failed;
import io.lockstep.openflow.channel.RecordingObserver.Packet;
import io.lockstep.openflow.channel.RecordingObserver.Removed;
import io.lockstep.openflow.channel.RecordingObserver.RoleLost;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onlab.packet.MplsLabel;
import org.onosproject.net.PortNumber;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.TrafficSelector;
import org.projectfloodlight.openflow.protocol.OFBadRequestCode;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFControllerRole;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFFlowMod;
import org.projectfloodlight.openflow.protocol.OFFlowModFailedCode;
import org.projectfloodlight.openflow.protocol.OFFlowRemovedReason;
import org.projectfloodlight.openflow.protocol.OFFlowStatsEntry;
import org.projectfloodlight.openflow.protocol.OFFlowStatsRequest;
import org.projectfloodlight.openflow.protocol.OFMessage;
import org.projectfloodlight.openflow.protocol.OFRoleRequest;
import org.projectfloodlight.openflow.protocol.OFRoleRequestFailedCode;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableStatsRequest;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;
import org.projectfloodlight.openflow.types.TableId;
import org.projectfloodlight.openflow.types.U64;

class SessionIT {
  private static final OFErrorCauseData NO_DATA = OFErrorCauseData.of(new byte[0], OFVersion.OF_13);

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          log);
  private ScriptedSwitch device;
  private SwitchConnection connection;

  SessionIT() throws IOException {
    server.start();
    device = ScriptedSwitch.connect(server.port());
    device.handshake(0x51);
    connection = observer.await(Connected.class).connection();
  }

  @BeforeEach
  void served() {
    device.assertServed();
    observer.await(Packet.class);
  }

  @AfterEach
  void stop() {
    device.close();
    server.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  static FlowMod add(int port) {
    return add(DefaultTrafficSelector.builder().matchInPort(PortNumber.portNumber(port)).build());
  }

  private static FlowMod add(TrafficSelector selector) {
    return new FlowMod(
        FlowMod.Operation.ADD,
        0,
        10,
        0x77,
        0,
        0,
        0,
        true,
        PacketIn.NO_BUFFER,
        selector,
        DefaultTrafficTreatment.builder().setOutput(PortNumber.portNumber(2)).build());
  }

  private static OFMessage tableFull(OFFlowMod mod) {
    return ScriptedSwitch.OF
        .errorMsgs()
        .buildFlowModFailedErrorMsg()
        .setXid(mod.getXid())
        .setCode(OFFlowModFailedCode.TABLE_FULL)
        .setData(NO_DATA)
        .build();
  }

  private OFMessage roleReply(OFRoleRequest request, OFControllerRole role, long generation) {
    return ScriptedSwitch.OF
        .buildRoleReply()
        .setXid(request.getXid())
        .setRole(role)
        .setGenerationId(U64.of(generation))
        .build();
  }

  @Test
  void packetInReachesTheObserverOnce() {
    device.send(ScriptedSwitch.packetIn(1, new byte[] {9, 8, 7}));
    PacketIn packetIn = observer.await(Packet.class).packetIn();
    assertThat(packetIn.inPort()).isEqualTo(PortNumber.portNumber(1));
    assertThat(packetIn.data()).containsExactly(9, 8, 7);
    assertThat(packetIn.reason()).isEqualTo(PacketIn.Reason.NO_MATCH);
  }

  @Test
  void echoIsAnsweredWithItsData() {
    device.send(ScriptedSwitch.OF.buildEchoRequest().setXid(99).setData(new byte[] {4, 2}).build());
    OFEchoReply reply = device.await(OFEchoReply.class);
    assertThat(reply.getXid()).isEqualTo(99);
    assertThat(reply.getData()).containsExactly(4, 2);
  }

  @Test
  void roleIsGranted() {
    CompletableFuture<RoleOutcome> outcome = connection.requestRole(SwitchRole.MASTER, 5);
    OFRoleRequest request = device.await(OFRoleRequest.class);
    assertThat(request.getRole()).isEqualTo(OFControllerRole.ROLE_MASTER);
    assertThat(request.getGenerationId()).isEqualTo(U64.of(5));
    device.send(roleReply(request, OFControllerRole.ROLE_MASTER, 5));
    assertThat(get(outcome)).isEqualTo(new RoleOutcome.Granted(SwitchRole.MASTER, 5));
  }

  @Test
  void staleRoleLearnsTheGenerationOfTheSwitch() {
    CompletableFuture<RoleOutcome> outcome = connection.requestRole(SwitchRole.MASTER, 5);
    OFRoleRequest request = device.await(OFRoleRequest.class);
    device.send(
        ScriptedSwitch.OF
            .errorMsgs()
            .buildRoleRequestFailedErrorMsg()
            .setXid(request.getXid())
            .setCode(OFRoleRequestFailedCode.STALE)
            .setData(NO_DATA)
            .build());
    OFRoleRequest query = device.await(OFRoleRequest.class);
    assertThat(query.getRole()).isEqualTo(OFControllerRole.ROLE_NOCHANGE);
    device.send(roleReply(query, OFControllerRole.ROLE_EQUAL, 17));
    assertThat(get(outcome)).isEqualTo(new RoleOutcome.Stale(17));
  }

  @Test
  void roleRefusedOtherwiseFailsReadably() {
    CompletableFuture<RoleOutcome> outcome = connection.requestRole(SwitchRole.SLAVE, 5);
    OFRoleRequest request = device.await(OFRoleRequest.class);
    device.send(
        ScriptedSwitch.OF
            .errorMsgs()
            .buildRoleRequestFailedErrorMsg()
            .setXid(request.getXid())
            .setCode(OFRoleRequestFailedCode.UNSUP)
            .setData(NO_DATA)
            .build());
    assertThat(get(outcome))
        .isEqualTo(new RoleOutcome.Failed("the switch refused: ROLE_REQUEST_FAILED/UNSUP"));
  }

  @Test
  void refusalBecauseOfTheRoleIsToldOnce() {
    assertThat(connection.flowMods(List.of(add(1), add(2)))).isTrue();
    for (int i = 0; i < 2; i++) {
      device.send(
          ScriptedSwitch.OF
              .errorMsgs()
              .buildBadRequestErrorMsg()
              .setXid(device.await(OFFlowMod.class).getXid())
              .setCode(OFBadRequestCode.IS_SLAVE)
              .setData(NO_DATA)
              .build());
    }
    assertThat(observer.await(Failed.class).error()).isEqualTo("BAD_REQUEST/IS_SLAVE");
    assertThat(observer.await(RoleLost.class).reason()).contains("slave");
    assertThat(observer.await(Failed.class).mod()).isEqualTo(add(2));
    device.assertServed();
    observer.await(Packet.class);
    assertThat(observer.soFar()).noneMatch(RoleLost.class::isInstance);
  }

  @Test
  void errorNamesTheUnconfirmedFlowMod() {
    assertThat(connection.flowMods(List.of(add(1), add(2), add(3)))).isTrue();
    device.await(OFFlowMod.class);
    device.send(tableFull(device.await(OFFlowMod.class)));
    Failed failed = observer.await(Failed.class);
    assertThat(failed.mod()).isEqualTo(add(2));
    assertThat(failed.error()).isEqualTo("FLOW_MOD_FAILED/TABLE_FULL");
  }

  @Test
  void untranslatableFlowModIsToldAndTheOthersAreSent() {
    FlowMod mpls =
        add(DefaultTrafficSelector.builder().matchMplsLabel(MplsLabel.mplsLabel(1)).build());
    assertThat(connection.flowMods(List.of(mpls, add(2)))).isTrue();
    assertThat(observer.await(Failed.class))
        .isEqualTo(new Failed(connection, mpls, "unsupported criterion MPLS_LABEL"));
    assertThat(device.await(OFFlowMod.class).getCookie()).isEqualTo(U64.of(0x77));
  }

  @Test
  void confirmedFlowModsHaveOneOutcomeEach() {
    FlowMod mpls =
        add(DefaultTrafficSelector.builder().matchMplsLabel(MplsLabel.mplsLabel(1)).build());
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.flowModsConfirmed(List.of(add(1), mpls, add(2)));
    device.await(OFFlowMod.class);
    device.send(tableFull(device.await(OFFlowMod.class)));
    device.send(
        ScriptedSwitch.OF
            .buildBarrierReply()
            .setXid(device.await(OFBarrierRequest.class).getXid())
            .build());
    assertThat(get(outcomes))
        .containsExactly(
            new FlowModOutcome.Installed(),
            new FlowModOutcome.Refused("unsupported criterion MPLS_LABEL"),
            new FlowModOutcome.Refused("FLOW_MOD_FAILED/TABLE_FULL"));
  }

  @Test
  void endOfTheConnectionLeavesOutcomesUnknown() {
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.flowModsConfirmed(List.of(add(1)));
    CompletableFuture<RoleOutcome> role = connection.requestRole(SwitchRole.MASTER, 1);
    device.await(OFRoleRequest.class);
    device.close();
    assertThat(get(outcomes).get(0)).isInstanceOf(FlowModOutcome.Unknown.class);
    assertThat(get(role)).isInstanceOf(RoleOutcome.Failed.class);
    assertThat(connection.flowMods(List.of(add(1)))).isFalse();
    assertThat(get(connection.flowModsConfirmed(List.of(add(1)))).get(0).toString())
        .contains("the switch closed the connection");
    assertThat(get(connection.tableStats()).toString()).contains("closed");
  }

  @Test
  void flowStatisticsInSeveralPartsAreAssembled() {
    CompletableFuture<Answer<List<FlowStats>>> answer = connection.flowStats();
    long xid = device.await(OFFlowStatsRequest.class).getXid();
    for (int part = 0; part < 2; part++) {
      OFFlowStatsEntry entry =
          ScriptedSwitch.OF
              .buildFlowStatsEntry()
              .setTableId(TableId.of(part))
              .setPriority(7)
              .setCookie(U64.of(3))
              .setPacketCount(U64.of(11))
              .setMatch(ScriptedSwitch.OF.matchWildcardAll())
              .build();
      device.send(
          ScriptedSwitch.OF
              .buildFlowStatsReply()
              .setXid(xid)
              .setFlags(
                  part == 0 ? EnumSet.of(OFStatsReplyFlags.REPLY_MORE) : Collections.emptySet())
              .setEntries(List.of(entry))
              .build());
    }
    List<FlowStats> flows = ((Answer.Of<List<FlowStats>>) get(answer)).value();
    assertThat(flows).extracting(FlowStats::tableId).containsExactly(0, 1);
    assertThat(flows.get(0).packets()).isEqualTo(11);
    assertThat(flows.get(0).selector()).isEqualTo(DefaultTrafficSelector.emptySelector());
  }

  @Test
  void tableStatisticsAreRead() {
    CompletableFuture<Answer<List<TableStats>>> answer = connection.tableStats();
    device.send(
        ScriptedSwitch.OF
            .buildTableStatsReply()
            .setXid(device.await(OFTableStatsRequest.class).getXid())
            .setEntries(
                List.of(
                    ScriptedSwitch.OF
                        .buildTableStatsEntry()
                        .setTableId(TableId.of(1))
                        .setActiveCount(5)
                        .setLookupCount(U64.of(6))
                        .setMatchedCount(U64.of(4))
                        .build()))
            .build());
    assertThat(get(answer)).isEqualTo(new Answer.Of<>(List.of(new TableStats(1, 5, 6, 4))));
  }

  @Test
  void statisticsOfAnUnknownKindAreRefusedAndTheSessionStays() {
    CompletableFuture<Answer<List<FlowStats>>> answer = connection.flowStats();
    long xid = device.await(OFFlowStatsRequest.class).getXid();
    device.sendHex(
        "04130018" + String.format("%08x", xid) + "ffff000000000000" + "00dead0000000001");
    assertThat(get(answer).toString()).contains("unknown content");
    device.assertServed();
  }

  @Test
  void entryWithUnknownContentIsLeftOutOfTheAnswer() {
    CompletableFuture<Answer<List<FlowStats>>> answer = connection.flowStats();
    long xid = device.await(OFFlowStatsRequest.class).getXid();
    device.sendHex(
        "04130058"
            + String.format("%08x", xid)
            + "0001000000000000"
            + "00480000"
            + "00".repeat(44)
            + "00010004"
            + "00000000"
            + "0004001000000000"
            + "ff00000800000000");
    assertThat(get(answer)).isEqualTo(new Answer.Of<>(List.of()));
    device.assertServed();
  }

  @Test
  void flowRemovedIsReported() {
    device.send(
        ScriptedSwitch.OF
            .buildFlowRemoved()
            .setReason(OFFlowRemovedReason.IDLE_TIMEOUT)
            .setTableId(TableId.of(2))
            .setPriority(10)
            .setCookie(U64.of(0x77))
            .setMatch(ScriptedSwitch.OF.matchWildcardAll())
            .build());
    FlowRemoved removed = observer.await(Removed.class).flowRemoved();
    assertThat(removed.reason()).isEqualTo(FlowRemoved.Reason.IDLE_TIMEOUT);
    assertThat(removed.cookie()).isEqualTo(0x77);
    assertThat(removed.tableId()).isEqualTo(2);
  }

  @Test
  void largeBatchArrivesInOrder() {
    List<FlowMod> mods = Collections.nCopies(2000, add(1));
    CompletableFuture<List<FlowModOutcome>> outcomes = connection.flowModsConfirmed(mods);
    OFFlowMod last = device.await(OFFlowMod.class);
    for (int i = 1; i < mods.size(); i++) {
      OFFlowMod next = device.await(OFFlowMod.class);
      assertThat(next.getXid()).isEqualTo(last.getXid() + 1);
      last = next;
    }
    device.send(
        tableFull(last),
        ScriptedSwitch.OF
            .buildBarrierReply()
            .setXid(device.await(OFBarrierRequest.class).getXid())
            .build());
    assertThat(get(outcomes)).hasSize(2000);
    assertThat(get(outcomes).get(1999)).isInstanceOf(FlowModOutcome.Refused.class);
    assertThat(get(outcomes).get(1998)).isInstanceOf(FlowModOutcome.Installed.class);
  }

  @Test
  void batchBeyondTheBoundIsRefused() {
    List<FlowMod> mods = Collections.nCopies(FlowModSender.MAX_BATCH + 1, add(1));
    assertThatIllegalArgumentException().isThrownBy(() -> connection.flowMods(mods));
  }

  @Test
  void taskRunsOnTheEventLoopAtOnceWhereItIsThere() {
    CompletableFuture<String> order = new CompletableFuture<>();
    connection.execute(
        () -> {
          StringBuilder steps = new StringBuilder();
          connection.execute(() -> steps.append("inner "));
          order.complete(steps + Thread.currentThread().getName());
        });
    assertThat(get(order)).startsWith("inner openflow-");
  }
}
