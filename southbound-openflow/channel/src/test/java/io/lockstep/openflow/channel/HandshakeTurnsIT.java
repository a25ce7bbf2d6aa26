package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.openflow.channel.RecordingObserver.Connected;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFEchoReply;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;

/** Switches that say HELLO and then nothing hold up no others. */
class HandshakeTurnsIT {
  private static final int SILENT_HOST = 1;
  private static final int OTHER_HOST = 2;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withEventLoops(1)
              .withDeadlines(10_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          log);
  private final List<ScriptedSwitch> silent = new ArrayList<>();

  @BeforeEach
  void start() throws IOException {
    server.start();
    for (int i = 0; i < HandshakeTurns.AT_ONCE_FROM_ADDRESS; i++) {
      ScriptedSwitch one = ScriptedSwitch.connect(server.port(), SILENT_HOST, 0).hello();
      one.await(OFFeaturesRequest.class);
      silent.add(one);
    }
  }

  @AfterEach
  void stop() {
    silent.forEach(ScriptedSwitch::close);
    server.close();
  }

  @Test
  void anotherAddressIsServedAtOnce() {
    try (ScriptedSwitch other = ScriptedSwitch.connect(server.port(), OTHER_HOST, 0)) {
      other.handshake(7);
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(7);
      assertThat(log.soFar())
          .as("none of the silent ones had to end for it")
          .noneMatch(line -> line.contains("its handshake waited"));
    }
  }

  @Test
  void nextOfTheSameAddressIsServedWhenOneLeaves() {
    try (ScriptedSwitch next = ScriptedSwitch.connect(server.port(), SILENT_HOST, 0)) {
      next.hello();
      next.sendHex("0402000800000005");
      assertThat(next.await(OFEchoReply.class).getXid())
          .as("an echo is answered while the switch waits for its turn")
          .isEqualTo(5);
      silent.remove(0).close();
      next.features(8);
      next.ports();
      next.describe();
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(8);
    }
  }

  @Test
  void nextOfTheSameAddressIsServedWhenTheDeadlineOfTheSilentOnesHasPassed() {
    try (ScriptedSwitch next = ScriptedSwitch.connect(server.port(), SILENT_HOST, 0)) {
      next.handshake(9);
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(9);
    }
    log.await("WARN", "its handshake waited 10000 ms for a features reply");
  }
}
