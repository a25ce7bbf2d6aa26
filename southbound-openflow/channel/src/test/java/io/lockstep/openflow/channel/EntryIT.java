package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.access.PlainRule;
import io.lockstep.openflow.channel.access.SwitchAccess;
import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Connections that must show what lets them be a switch, over real sockets, without keys. */
class EntryIT {
  private static final int SILENCE_MILLIS = 300;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server = server(60_000);

  private OpenFlowServer server(int handshakeMillis) {
    return new OpenFlowServer(
        OpenFlowServerConfig.defaults()
            .withListen("127.0.0.1", 0)
            .withDeadlines(handshakeMillis, 60_000, 60_000, 60_000, 60_000),
        SwitchAccess.of(
            null,
            List.of(new PlainRule(new DpidRange(1, 8), InetAddress.getLoopbackAddress(), 32))),
        observer,
        log,
        new InboundBudget(InboundBudget.MAX_BYTES));
  }

  @BeforeEach
  void start() throws IOException {
    server.start();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private long refused() {
    return server.counters().counts().refused();
  }

  @Test
  void switchOfARuleConnectsFromItsAddress() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.handshake(8);
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(8);
      device.assertServed();
    }
    assertThat(refused()).isZero();
  }

  @Test
  void otherSwitchFromThatAddressIsRefused() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.hello();
      device.features(9);
      device.awaitClosed();
    }
    log.await("WARN", "openflow.plain does not allow switch 9 without TLS from 127.0.0.1");
    assertThat(refused()).isEqualTo(1);
  }

  @Test
  void otherAddressIsRefusedBeforeItHearsAnything() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port(), 2, 0)) {
      device.sendHex("04 00 00 08 00 00 00 01");
      assertThat(device.awaitClosed()).isEmpty();
    }
    log.await("WARN", "it speaks plain TCP, which openflow.plain does not allow from 127.0.0.2");
    assertThat(refused()).isEqualTo(1);
  }

  @Test
  void tlsIsRefusedWithoutKeysWithTheRemedy() {
    try (ScriptedSwitch device = ScriptedSwitch.connect(server.port())) {
      device.sendHex("16 03 01 00 05 01 00 00 01 00");
      assertThat(device.awaitClosed()).isEmpty();
    }
    log.await("WARN", "it speaks TLS, and this node has no keys");
    assertThat(refused()).isEqualTo(1);
  }

  @Test
  void silentConnectionIsClosed() throws IOException {
    try (OpenFlowServer impatient = server(SILENCE_MILLIS)) {
      impatient.start();
      try (ScriptedSwitch silent = ScriptedSwitch.connect(impatient.port())) {
        assertThat(silent.awaitClosed()).isEmpty();
      }
      log.await("WARN", "it said nothing in " + SILENCE_MILLIS + " ms");
    }
  }
}
