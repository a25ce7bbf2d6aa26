package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.GroupMod;
import io.lockstep.core.southbound.PortGroup;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFBarrierRequest;
import org.projectfloodlight.openflow.protocol.OFGroupDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFGroupMod;
import org.projectfloodlight.openflow.protocol.OFGroupModFailedCode;
import org.projectfloodlight.openflow.protocol.OFVersion;
import org.projectfloodlight.openflow.types.OFErrorCauseData;

/** Groups of a switch over a real socket. */
class GroupRequestsIT {
  private static final OFErrorCauseData NO_DATA = OFErrorCauseData.of(new byte[0], OFVersion.OF_13);

  private final RecordingObserver observer = new RecordingObserver();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          new RecordingLog());
  private ScriptedSwitch device;
  private SwitchConnection connection;

  @BeforeEach
  void connect() throws IOException {
    server.start();
    device = ScriptedSwitch.connect(server.port());
    device.handshake(0x51);
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

  private static GroupMod add(int id) {
    return new GroupMod(GroupMod.Operation.ADD, new PortGroup(id, id, false));
  }

  @Test
  void changesHaveOneOutcomeEach() {
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.groupModsConfirmed(List.of(add(1), add(2)));
    OFGroupMod first = device.await(OFGroupMod.class);
    device.await(OFGroupMod.class);
    OFBarrierRequest barrier = device.await(OFBarrierRequest.class);
    device.send(
        ScriptedSwitch.OF
            .errorMsgs()
            .buildGroupModFailedErrorMsg()
            .setXid(first.getXid())
            .setCode(OFGroupModFailedCode.GROUP_EXISTS)
            .setData(NO_DATA)
            .build());
    device.send(ScriptedSwitch.OF.buildBarrierReply().setXid(barrier.getXid()).build());
    List<FlowModOutcome> done = get(outcomes);
    assertThat(done).hasSize(2);
    assertThat(done.get(0))
        .isInstanceOfSatisfying(
            FlowModOutcome.Refused.class,
            refused -> assertThat(refused.error()).contains("GROUP_EXISTS"));
    assertThat(done.get(1)).isInstanceOf(FlowModOutcome.Installed.class);
  }

  @Test
  void endOfTheConnectionLeavesOutcomesUnknown() {
    CompletableFuture<List<FlowModOutcome>> outcomes =
        connection.groupModsConfirmed(List.of(add(1)));
    device.await(OFBarrierRequest.class);
    device.close();
    assertThat(get(outcomes)).singleElement().isInstanceOf(FlowModOutcome.Unknown.class);
    assertThat(get(connection.groupModsConfirmed(List.of(add(2)))))
        .singleElement()
        .isInstanceOfSatisfying(
            FlowModOutcome.Unknown.class,
            unknown -> assertThat(unknown.reason()).startsWith("not sent: "));
  }

  @Test
  void noGroupsAreRead() {
    CompletableFuture<Answer<List<PortGroup>>> asked = connection.portGroups();
    OFGroupDescStatsRequest request = device.await(OFGroupDescStatsRequest.class);
    device.send(ScriptedSwitch.OF.buildGroupDescStatsReply().setXid(request.getXid()).build());
    assertThat(get(asked)).isEqualTo(new Answer.Of<>(List.of()));
  }
}
