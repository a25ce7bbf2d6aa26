package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchObserver.PortChange;
import io.lockstep.core.southbound.TableClaims;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Disconnected;
import io.lockstep.openflow.channel.RecordingObserver.PortStatus;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.onosproject.net.AnnotationKeys;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.PortDescription;
import org.projectfloodlight.openflow.protocol.OFPortDescStatsRequest;
import org.projectfloodlight.openflow.protocol.OFPortReason;
import org.projectfloodlight.openflow.protocol.OFPortState;
import org.projectfloodlight.openflow.protocol.OFSetConfig;
import org.projectfloodlight.openflow.protocol.OFStatsReplyFlags;
import org.projectfloodlight.openflow.protocol.OFTableFeaturesStatsRequest;

class HandshakeIT {
  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          log);

  @BeforeEach
  void start() throws IOException {
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void switchIsReportedWithWhatItSaidOfItself() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(0xa1);
      Connected connected = observer.await(Connected.class);
      SwitchConnection connection = connected.connection();
      assertThat(connected.thread()).startsWith("openflow-");
      assertThat(connection.deviceId()).hasToString("of:00000000000000a1");
      assertThat(connection.dpid()).isEqualTo(0xa1);
      assertThat(connection.isOpen()).isTrue();
      assertThat(connection.features().protocol()).isEqualTo("OpenFlow 1.3");
      assertThat(connection.features().manufacturer()).isEqualTo("tests");
      assertThat(connection.features().datapath()).isEqualTo("scripted");
      assertThat(connection.features().tables()).isEqualTo(4);
      assertThat(connection.features().remoteAddress()).startsWith("127.0.0.1:");
      assertThat(connection.ports())
          .extracting(PortDescription::portNumber)
          .containsExactly(PortNumber.portNumber(1), PortNumber.portNumber(2));
      PortDescription first = connection.ports().get(0);
      assertThat(first.isEnabled()).isTrue();
      assertThat(first.portSpeed()).isEqualTo(1000);
      assertThat(first.annotations().value(AnnotationKeys.PORT_NAME)).isEqualTo("p1");
      log.await("INFO", "of:00000000000000a1 connected from 127.0.0.1:", "OpenFlow 1.3, 2 ports");
      device.assertServed();
    }
    Disconnected disconnected = observer.await(Disconnected.class);
    assertThat(disconnected.reason()).isEqualTo("the switch closed the connection");
    assertThat(disconnected.connection().isOpen()).isFalse();
  }

  @Test
  void switchIsToldToSendWholeFrames() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.hello();
      assertThat(device.await(OFSetConfig.class).getMissSendLen()).isEqualTo(0xffff);
    }
  }

  @Test
  void portsInSeveralPartsAreAssembled() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.hello();
      device.features(7);
      long xid = device.await(OFPortDescStatsRequest.class).getXid();
      Set<OFStatsReplyFlags> more = EnumSet.of(OFStatsReplyFlags.REPLY_MORE);
      for (int part = 0; part < 3; part++) {
        device.send(
            ScriptedSwitch.OF
                .buildPortDescStatsReply()
                .setXid(xid)
                .setFlags(part < 2 ? more : Set.of())
                .setEntries(List.of(ScriptedSwitch.port(part + 1)))
                .build());
      }
      device.describe();
      assertThat(observer.await(Connected.class).connection().ports()).hasSize(3);
    }
  }

  @Test
  void tablesAreKnownOrWhyNot() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.hello();
      device.features(7);
      device.ports();
      device.describeWithoutTables();
      long xid = device.await(OFTableFeaturesStatsRequest.class).getXid();
      String head = String.format("04130050%08x000c0000000000000040", xid);
      device.sendHex(head + "00".repeat(6) + "61" + "00".repeat(51) + "000001f4");
      TableClaims claims = observer.await(Connected.class).connection().tableClaims();
      assertThat(claims.tables()).hasSize(1);
      assertThat(claims.tables().get(0).name()).isEqualTo("a");
      assertThat(claims.tables().get(0).maxEntries()).isEqualTo(500);
    }
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(8);
      SwitchConnection refuses = observer.await(Connected.class).connection();
      assertThat(refuses.tableClaims().whyNone()).contains("BAD_REQUEST");
    }
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake10(9);
      TableClaims claims = observer.await(Connected.class).connection().tableClaims();
      assertThat(claims.tables()).extracting(TableClaims.Table::maxEntries).containsExactly(64L);
      assertThat(claims.rewrites()).as("it names no actions").isFalse();
    }
  }

  /** The question has half of the handshake's time, all that precedes it the other half. */
  @Test
  void aSwitchThatIsSilentAboutItsTablesIsTakenAllTheSame() throws IOException {
    OpenFlowServerConfig shorter =
        OpenFlowServerConfig.defaults()
            .withListen("127.0.0.1", 0)
            .withDeadlines(16_000, 60_000, 60_000, 60_000, 60_000);
    try (OpenFlowServer other = new OpenFlowServer(shorter, observer, log)) {
      other.start();
      try (ScriptedSwitch device = ScriptedSwitch.connect(other.port())) {
        device.hello();
        device.features(7);
        device.ports();
        device.describeWithoutTables();
        SwitchConnection connection = observer.await(Connected.class).connection();
        assertThat(connection.tableClaims().whyNone()).contains("did not answer");
        device.assertServed();
      }
    }
  }

  @Test
  void portChangesAreReportedAfterThePortListShowsThem() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(8);
      SwitchConnection connection = observer.await(Connected.class).connection();
      device.send(
          ScriptedSwitch.OF
              .buildPortStatus()
              .setReason(OFPortReason.MODIFY)
              .setDesc(
                  ScriptedSwitch.port(1)
                      .createBuilder()
                      .setState(EnumSet.of(OFPortState.LINK_DOWN))
                      .build())
              .build(),
          ScriptedSwitch.OF
              .buildPortStatus()
              .setReason(OFPortReason.DELETE)
              .setDesc(ScriptedSwitch.port(2))
              .build());
      PortStatus modified = observer.await(PortStatus.class);
      assertThat(modified.change()).isEqualTo(PortChange.MODIFIED);
      assertThat(modified.port().isEnabled()).isFalse();
      PortStatus removed = observer.await(PortStatus.class);
      assertThat(removed.change()).isEqualTo(PortChange.REMOVED);
      assertThat(removed.port().portNumber()).isEqualTo(PortNumber.portNumber(2));
      assertThat(connection.ports()).hasSize(1);
    }
  }

  @Test
  void closeByTheNodeNamesItsReason() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(9);
      observer.await(Connected.class).connection().close("not in this domain");
      device.awaitClosed();
      assertThat(observer.await(Disconnected.class).reason()).isEqualTo("not in this domain");
      log.await("INFO", "of:0000000000000009", "not in this domain");
    }
  }

  @Test
  void stopOfTheServerEndsSessions() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(10);
      SwitchConnection connection = observer.await(Connected.class).connection();
      server.close();
      assertThat(observer.await(Disconnected.class).reason()).isEqualTo("this controller stops");
      assertThat(connection.flowStats()).isCompleted();
      connection.execute(() -> {});
    }
  }

  @Test
  void portInUseIsNamedWithARemedy() throws IOException {
    try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      OpenFlowServerConfig taken =
          OpenFlowServerConfig.defaults().withListen("127.0.0.1", other.getLocalPort());
      try (OpenFlowServer second = new OpenFlowServer(taken, observer)) {
        assertThatThrownBy(second::start)
            .isInstanceOf(IOException.class)
            .hasMessageContaining("127.0.0.1:" + other.getLocalPort())
            .hasMessageContaining("in use")
            .hasMessageContaining("configure another port");
      }
    }
  }
}
