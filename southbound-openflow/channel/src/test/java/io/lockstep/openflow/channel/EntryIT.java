package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.cluster.DpidRange;
import io.lockstep.keys.KeyFiles;
import io.lockstep.keys.KeysException;
import io.lockstep.keys.LinkKeys;
import io.lockstep.keys.PeerRole;
import io.lockstep.keys.pki.Authority;
import io.lockstep.keys.pki.IssueOrder;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.access.PlainRule;
import io.lockstep.openflow.channel.access.SwitchAccess;
import io.lockstep.openflow.channel.access.SwitchKeys;
import io.lockstep.openflow.channel.access.SwitchTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Connections that must show what lets them be a switch, over real sockets, without keys. */
class EntryIT {
  private static final int SILENCE_MILLIS = 300;

  /** Of a record with a ClientHello of 508 bytes (RFC 8446 section 4.1.2). */
  private static final byte[] BEGINNING_OF_TLS = {22, 3, 1, 2, 0, 1, 0, 1, -4};

  @TempDir private Path temp;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server = server(60_000);

  private OpenFlowServer server(int handshakeMillis) {
    return server(config(handshakeMillis), null);
  }

  private static OpenFlowServerConfig config(int handshakeMillis) {
    return OpenFlowServerConfig.defaults()
        .withListen("127.0.0.1", 0)
        .withDeadlines(handshakeMillis, 60_000, 60_000, 60_000, 60_000);
  }

  private OpenFlowServer server(OpenFlowServerConfig config, @Nullable SwitchTls tls) {
    return new OpenFlowServer(
        config,
        SwitchAccess.of(
            tls, List.of(new PlainRule(new DpidRange(1, 8), InetAddress.getLoopbackAddress(), 32))),
        observer,
        log,
        new InboundBudget(InboundBudget.MAX_BYTES));
  }

  /** TLS with keys of a cluster of its own. */
  private SwitchTls tls() throws KeysException {
    Path pki = temp.resolve("pki");
    Authority.init(pki, "c", 30, InstantSource.system(), new SecureRandom());
    try (Authority authority = Authority.open(pki, InstantSource.system(), new SecureRandom())) {
      KeyFiles files =
          authority.issue(new IssueOrder(PeerRole.NODE, "n1", List.of(), List.of(), 30));
      return new SwitchKeys(LinkKeys.open(files, InstantSource.system()));
    }
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

  /** Of an address that no rule has. */
  private static Socket stranger(int port) throws IOException {
    Socket socket = new Socket();
    socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.2"), 0));
    socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    socket.setSoTimeout(ScriptedSwitch.PATIENCE_MILLIS);
    return socket;
  }

  private static void close(List<Socket> sockets) throws IOException {
    for (Socket one : sockets) {
      one.close();
    }
  }

  /** Every second one begins a handshake of TLS and does not go on. */
  @Test
  void thousandHalfOpenConnectionsDelayNoSwitch() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try (OpenFlowServer secured = server(config(60_000), tls())) {
      secured.start();
      try (ScriptedSwitch before = ScriptedSwitch.connect(secured.port());
          ScriptedSwitch after = ScriptedSwitch.connect(secured.port())) {
        before.handshake(8);
        for (int i = 0; i < 1_000; i++) {
          idle.add(stranger(secured.port()));
          if (i % 2 == 1) {
            idle.get(i).getOutputStream().write(BEGINNING_OF_TLS);
          }
          if (i % 100 == 0) {
            before.assertServed();
          }
        }
        after.handshake(7);
        after.assertServed();
        before.assertServed();
      } finally {
        close(idle);
      }
    }
  }

  @Test
  void strangersLeavePlacesForSwitches() throws IOException {
    List<Socket> idle = new ArrayList<>();
    try (OpenFlowServer small = server(config(60_000).withCaps(16, 16), null)) {
      small.start();
      for (int i = 0; i < 16; i++) {
        idle.add(stranger(small.port()));
      }
      log.await("WARN", "too many connections do not show which switch they are");
      assertThat(idle.get(0).getInputStream().read()).isEqualTo(-1);
      try (ScriptedSwitch device = ScriptedSwitch.connect(small.port())) {
        device.handshake(8);
        device.assertServed();
      }
    } finally {
      close(idle);
    }
  }
}
