package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PortStats;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.Answer;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.PortNumber;
import org.projectfloodlight.openflow.protocol.OFFactory;
import org.projectfloodlight.openflow.protocol.OFPortStatsEntry;
import org.projectfloodlight.openflow.protocol.OFPortStatsRequest;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.types.OFPort;
import org.projectfloodlight.openflow.types.U64;

/** Counters of ports, as switches of both versions send them. */
class PortStatisticsIT {
  private static final int PER_PART = 400;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServerConfig config =
      OpenFlowServerConfig.defaults()
          .withListen("127.0.0.1", 0)
          .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000);
  private final OpenFlowServer server = new OpenFlowServer(config, observer, log);
  private final ScriptedSwitch device;

  PortStatisticsIT() throws IOException {
    server.start();
    device = ScriptedSwitch.connect(server.port());
  }

  @AfterEach
  void stop() {
    device.close();
    server.close();
  }

  private static <T> T get(CompletableFuture<T> future) {
    return future.orTimeout(60, TimeUnit.SECONDS).join();
  }

  private static OFPortStatsEntry.Builder entry(OFFactory factory, OFPort port) {
    return factory
        .buildPortStatsEntry()
        .setPortNo(port)
        .setRxPackets(U64.of(1))
        .setTxPackets(U64.of(2))
        .setRxBytes(U64.of(3))
        .setTxBytes(U64.of(4))
        .setRxDropped(U64.of(5))
        .setTxDropped(U64.of(6))
        .setRxErrors(U64.of(7))
        .setTxErrors(U64.of(-1));
  }

  private void reply(OFFactory factory, long xid, List<OFPortStatsEntry> entries, boolean more) {
    device.send(
        factory
            .buildPortStatsReply()
            .setXid(xid)
            .setFlags(more ? EnumSet.of(OFStatsReplyFlags.REPLY_MORE) : Set.of())
            .setEntries(entries)
            .build());
  }

  private SwitchConnection connected() {
    return observer.await(Connected.class).connection();
  }

  @Test
  void countersOfOpenFlow13AreRead() {
    device.handshake(0x51);
    SwitchConnection connection = connected();
    CompletableFuture<Answer<List<PortStats>>> answer = connection.portStats();
    OFPortStatsRequest asked = device.await(OFPortStatsRequest.class);
    assertThat(asked.getPortNo()).isEqualTo(OFPort.ANY);
    OFFactory factory = ScriptedSwitch.OF;
    reply(
        factory,
        asked.getXid(),
        List.of(entry(factory, OFPort.of(1)).setDurationSec(9).setDurationNsec(10).build()),
        true);
    reply(
        factory,
        asked.getXid(),
        List.of(
            entry(factory, OFPort.LOCAL)
                .setDurationSec(0xffff_ffffL)
                .setDurationNsec(0xffff_ffffL)
                .build()),
        false);
    long local = PortNumber.LOCAL.toLong();
    assertThat(get(answer))
        .isEqualTo(
            new Answer.Of<>(
                List.of(
                    new PortStats(1, 1, 2, 3, 4, 5, 6, 7, PortStats.UNKNOWN, 9, 10),
                    new PortStats(local, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1))));
  }

  @Test
  void countersOfOpenFlow10HaveNoDuration() {
    device.handshake10(0x10);
    SwitchConnection connection = connected();
    CompletableFuture<Answer<List<PortStats>>> answer = connection.portStats();
    OFPortStatsRequest asked = device.await(OFPortStatsRequest.class);
    assertThat(asked.getPortNo()).as("OFPP_NONE").isEqualTo(OFPort.ANY);
    OFFactory factory = ScriptedSwitch.OF10;
    reply(factory, asked.getXid(), List.of(entry(factory, OFPort.of(2)).build()), false);
    assertThat(get(answer))
        .isEqualTo(new Answer.Of<>(List.of(new PortStats(2, 1, 2, 3, 4, 5, 6, 7, -1, -1, -1))));
  }

  @Test
  void answerThatNamesMorePortsThanASwitchHasIsNotTaken() {
    device.handshake(0x51);
    SwitchConnection connection = connected();
    CompletableFuture<Answer<List<PortStats>>> answer = connection.portStats();
    long xid = device.await(OFPortStatsRequest.class).getXid();
    List<OFPortStatsEntry> part = new ArrayList<>();
    for (int port = 1; port <= PER_PART; port++) {
      part.add(entry(ScriptedSwitch.OF, OFPort.of(port)).build());
    }
    for (int sent = 0; sent <= config.maxPorts(); sent += PER_PART) {
      reply(ScriptedSwitch.OF, xid, part, true);
    }
    assertThat(get(answer))
        .isEqualTo(new Answer.None<>("more than " + config.maxPorts() + " entries"));
    device.assertServed();
  }

  @Test
  void connectionThatEndsLeavesTheQuestionUnanswered() {
    device.handshake(0x51);
    SwitchConnection connection = connected();
    CompletableFuture<Answer<List<PortStats>>> answer = connection.portStats();
    device.await(OFPortStatsRequest.class);
    device.close();
    assertThat(get(answer).toString()).contains("the connection ended");
    assertThat(get(connection.portStats()).toString()).contains("closed");
  }
}
