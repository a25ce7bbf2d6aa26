package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.PacketIn;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Disconnected;
import io.lockstep.openflow.codec.Hello;
import io.lockstep.openflow.codec.UnsupportedMessage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.projectfloodlight.openflow.protocol.OFErrorMsg;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;
import org.projectfloodlight.openflow.types.OFAuxId;

/**
 * What a hostile or broken peer does ends its own connection, with a reason, and nothing else: in
 * every test a healthy switch of the same server goes on. What a deadline ends is in {@link
 * SwitchDeadlinesIT}.
 */
class HostileSwitchIT {
  private static final long HEALTHY = 0x900d;
  private static final long HOSTILE = 0xbad;

  private final RecordingObserver observer = new FailingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withEventLoops(1)
              .withCaps(20, 4)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000),
          observer,
          log);
  private LivingSwitch healthy;

  /** Fails on the hostile switch's packet-ins that begin with 0xff, and on a datapath id. */
  private static final class FailingObserver extends RecordingObserver {
    @Override
    public void connected(SwitchConnection connection) {
      super.connected(connection);
      if (connection.dpid() == 0xdead) {
        throw new IllegalStateException("no such switch");
      }
    }

    @Override
    public void packetIn(SwitchConnection connection, PacketIn packetIn) {
      if (connection.dpid() == HOSTILE && packetIn.data()[0] == (byte) 0xff) {
        throw new IllegalStateException("application failed");
      }
      super.packetIn(connection, packetIn);
    }
  }

  @BeforeEach
  void start() throws IOException {
    server.start();
    ScriptedSwitch device = ScriptedSwitch.connect(server.port(), 9, 0).handshake(HEALTHY);
    observer.await(Connected.class);
    healthy = new LivingSwitch(device).begin();
    healthy.assertStillServed();
  }

  @AfterEach
  void healthySwitchStillWorks() {
    try {
      healthy.assertStillServed();
      assertThat(observer.soFar())
          .noneMatch(
              event -> event instanceof Disconnected gone && gone.connection().dpid() == HEALTHY);
    } finally {
      healthy.close();
      server.close();
    }
  }

  private ScriptedSwitch connect() {
    return ScriptedSwitch.connect(server.port());
  }

  @Test
  void garbageInsteadOfAHello() {
    byte[] garbage = new byte[5000];
    new Random(7).nextBytes(garbage);
    garbage[0] = 'G';
    try (ScriptedSwitch hostile = connect()) {
      hostile.sendRaw(garbage);
      hostile.awaitClosed();
    }
    log.await(
        "WARN connection from 127.0.0.1:", "ended in its handshake", "malformed", "begins 47");
  }

  @Test
  void garbageInASession() {
    try (ScriptedSwitch hostile = connect().handshake(HOSTILE)) {
      observer.await(Connected.class);
      hostile.sendHex("040a0020 00000000 ffffffff 0000 00 00 0000000000000000 0001ffff 80000004");
      hostile.awaitClosed();
    }
    assertThat(observer.await(Disconnected.class).reason()).contains("malformed", "match");
    log.await("WARN switch of:0000000000000bad disconnected", "malformed");
  }

  @Test
  void everyMessageTypeWithRandomContent() {
    Random random = new Random(11);
    for (int round = 0; round < 60; round++) {
      try (ScriptedSwitch hostile = connect().handshake(HOSTILE)) {
        observer.await(Connected.class);
        byte[] noise = new byte[64];
        random.nextBytes(noise);
        noise[0] = 4;
        noise[1] = (byte) (round % 30);
        noise[2] = 0;
        noise[3] = 64;
        hostile.sendRaw(noise);
        hostile.sendHex("ff00000000000000");
        hostile.awaitClosed();
      } catch (UncheckedIOException e) {
        // The connection was closed between the two writes.
        assertThat(e.getCause()).isInstanceOf(IOException.class);
      }
      assertThat(observer.await(Disconnected.class).reason()).contains("malformed");
    }
  }

  @Test
  void messageCutShort() {
    try (ScriptedSwitch hostile = connect().handshake(HOSTILE)) {
      observer.await(Connected.class);
      hostile.sendHex("040a0020 00000000 ffff");
    }
    assertThat(observer.await(Disconnected.class).reason())
        .contains("the stream ends inside a message");
  }

  @Test
  void lengthThatIsTooLargeForAHello() {
    try (ScriptedSwitch hostile = connect()) {
      hostile.sendHex("0400ffff 00000001");
      hostile.awaitClosed();
    }
    log.await("WARN", "length 65535 exceeds 1024 before the version is agreed");
  }

  @Test
  void lengthBelowTheHeader() {
    try (ScriptedSwitch hostile = connect().handshake(HOSTILE)) {
      observer.await(Connected.class);
      hostile.sendHex("0402000400000001");
      hostile.awaitClosed();
    }
    assertThat(observer.await(Disconnected.class).reason()).contains("length 4");
  }

  @Test
  void switchThatSpeaksOnlyOpenFlow11IsToldWhy() {
    try (ScriptedSwitch old = connect()) {
      old.sendHex("0200000800000001");
      List<Object> said = old.awaitClosed();
      assertThat(said.get(0)).isInstanceOf(Hello.class);
      UnsupportedMessage error = (UnsupportedMessage) said.get(1);
      assertThat(error.wireVersion()).isEqualTo(2);
      assertThat(error.type()).isEqualTo(1);
      assertThat(new String(error.head(), 12, 30, StandardCharsets.US_ASCII))
          .startsWith("no common OpenFlow version");
    }
    log.await(
        "WARN",
        "no common OpenFlow version: the switch offers up to OpenFlow 1.1, this controller speaks"
            + " OpenFlow 1.0, OpenFlow 1.3");
  }

  @Test
  void switchThatSpeaksOnlyLaterVersions() {
    try (ScriptedSwitch later = connect()) {
      later.sendHex("06000010 00000001 00010008 00000060");
      List<Object> said = later.awaitClosed();
      assertThat(said.get(1)).isInstanceOf(OFErrorMsg.class);
    }
    log.await("WARN", "the switch offers OpenFlow 1.4, OpenFlow 1.5");
  }

  @Test
  void secondConnectionOfALiveSwitchIsRefused() {
    try (ScriptedSwitch impostor = connect()) {
      impostor.handshake(HEALTHY);
      impostor.awaitClosed();
    }
    log.await(
        "WARN", "of:000000000000900d", "is already connected from 127.0.0.9:", "which answers");
    assertThat(observer.soFar()).noneMatch(Connected.class::isInstance);
  }

  @Test
  void featuresTwiceWithDifferentIdsKeepTheFirst() {
    try (ScriptedSwitch hostile = connect()) {
      hostile.hello();
      long xid = hostile.await(OFFeaturesRequest.class).getXid();
      hostile.send(
          ScriptedSwitch.featuresReply(xid, HOSTILE, OFAuxId.MAIN),
          ScriptedSwitch.featuresReply(xid, HEALTHY, OFAuxId.MAIN));
      hostile.ports();
      hostile.describe();
      assertThat(observer.await(Connected.class).connection().dpid()).isEqualTo(HOSTILE);
      hostile.send(ScriptedSwitch.featuresReply(xid, HEALTHY, OFAuxId.MAIN));
      hostile.assertServed();
    }
  }

  @Test
  void auxiliaryConnectionIsRefused() {
    try (ScriptedSwitch auxiliary = connect()) {
      auxiliary.hello();
      long xid = auxiliary.await(OFFeaturesRequest.class).getXid();
      auxiliary.send(ScriptedSwitch.featuresReply(xid, HOSTILE, OFAuxId.of(1)));
      auxiliary.awaitClosed();
    }
    log.await("WARN", "auxiliary connection of of:0000000000000bad");
  }

  @Test
  void observerThatThrowsLosesThatSwitchOnly() {
    try (ScriptedSwitch hostile = connect().handshake(HOSTILE)) {
      observer.await(Connected.class);
      hostile.send(ScriptedSwitch.packetIn(1, new byte[] {(byte) 0xff}));
      hostile.awaitClosed();
    }
    assertThat(observer.await(Disconnected.class).reason())
        .contains("the node failed on this switch", "application failed");
    log.await("WARN switch of:0000000000000bad", "application failed");
  }

  @Test
  void observerThatThrowsAtTheBeginningHearsOfTheEnd() {
    try (ScriptedSwitch hostile = connect().handshake(0xdead)) {
      hostile.awaitClosed();
    }
    assertThat(observer.await(Disconnected.class).reason()).contains("no such switch");
  }

  @Test
  void connectionsOfOneAddressAreCapped() {
    AtomicInteger open = new AtomicInteger();
    try (ScriptedSwitch one = connect().hello();
        ScriptedSwitch two = connect().hello();
        ScriptedSwitch three = connect().hello();
        ScriptedSwitch four = connect().hello();
        ScriptedSwitch five = connect()) {
      for (ScriptedSwitch each : List.of(one, two, three, four)) {
        each.await(OFFeaturesRequest.class);
        open.incrementAndGet();
      }
      five.awaitClosed();
    }
    assertThat(open).hasValue(4);
    log.await("WARN connection from 127.0.0.1:", "refused: 4 connections from this address");
  }
}
