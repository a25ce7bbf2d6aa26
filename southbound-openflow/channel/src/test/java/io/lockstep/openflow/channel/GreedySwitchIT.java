package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.FlowMod;
import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Disconnected;
import io.netty.buffer.ByteBufUtil;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Peers that send without end and do not read what they are answered cost a bounded number of bytes
 * and their own connection; a healthy switch of the same server goes on.
 */
class GreedySwitchIT {
  private static final long HEALTHY = 0x900d;
  private static final int MAX_OUTBOUND_BYTES = 6 << 20;
  private static final int MAX_HANDSHAKE_BYTES = 2 << 20;
  private static final int MAX_INBOUND_BYTES = 1 << 20;

  /** An intended rule's time-out passed. */
  private static final String FLOW_REMOVED =
      "040b003800000001b00000000000000100010100000000010000000000000000"
          + "000000000000000000000000000000000001000400000000";

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withEventLoops(1)
              .withCaps(100, 100)
              .withDeadlines(60_000, 60_000, 60_000, 60_000, 60_000)
              .withOutbound(MAX_OUTBOUND_BYTES, MAX_HANDSHAKE_BYTES),
          observer,
          log,
          new InboundBudget(MAX_INBOUND_BYTES));
  private final List<ScriptedSwitch> opened = new ArrayList<>();
  private LivingSwitch healthy;

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
      opened.forEach(ScriptedSwitch::close);
      server.close();
    }
  }

  /** A peer that reads as little as the system allows. */
  private ScriptedSwitch connect() {
    ScriptedSwitch peer = ScriptedSwitch.connect(server.port(), 1, 4096);
    opened.add(peer);
    return peer;
  }

  private static byte[] repeated(byte[] message, int times) {
    byte[] all = new byte[message.length * times];
    for (int i = 0; i < times; i++) {
      System.arraycopy(message, 0, all, i * message.length, message.length);
    }
    return all;
  }

  private static byte[] echo(int bytes) {
    byte[] message = new byte[bytes];
    byte[] header = ByteBufUtil.decodeHexDump(String.format("0402%04x00000007", bytes));
    System.arraycopy(header, 0, message, 0, header.length);
    return message;
  }

  /** Sends until the server closes the connection, without reading. */
  private static CompletableFuture<Void> flood(ScriptedSwitch peer, byte[] bytes) {
    return CompletableFuture.runAsync(
        () -> {
          try {
            while (true) {
              peer.sendRaw(bytes);
            }
          } catch (UncheckedIOException closed) {
            assertThat(closed).hasCauseInstanceOf(IOException.class);
          }
        });
  }

  @Test
  void echoRequestsInAHandshakeAreBounded() {
    CompletableFuture<Void> large = flood(connect().hello(), echo(60_000));
    assertThat(large).succeedsWithin(60, TimeUnit.SECONDS);
    log.await(
        "WARN connection from 127.0.0.1:",
        "ended in its handshake: more than 65536 bytes of echo requests");
    CompletableFuture<Void> small = flood(connect().hello(), repeated(echo(8), 1_000));
    assertThat(small).succeedsWithin(60, TimeUnit.SECONDS);
    assertThat(server.counters().counts().echoesInHandshake()).isEqualTo(2);
  }

  /** Each begins a message and never ends it; all of them would hold three times the budget. */
  @Test
  void messagesThatAreNeverFinished() {
    byte[] begun = Arrays.copyOf(echo(60_000), 59_000);
    int peers = 3 * MAX_INBOUND_BYTES / begun.length;
    for (int i = 0; i < peers; i++) {
      connect().hello().sendRaw(begun);
    }
    int mostKept = MAX_INBOUND_BYTES / begun.length + 2;
    log.await("unfinished for longest");
    awaitCounts(counts -> counts.unfinished() >= peers - mostKept);
  }

  /** A connection that is cut off is closed first and counted then. */
  private void awaitCounts(Predicate<ChannelCounters.Counts> condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.test(server.counters().counts())) {
      assertThat(System.nanoTime() - deadline).as("%s", server.counters().counts()).isNegative();
      Thread.onSpinWait();
    }
  }

  @Test
  void manyHandshakesTogetherAreBounded() {
    List<CompletableFuture<Void>> floods = new ArrayList<>();
    for (int i = 0; i < 60; i++) {
      // So short that what is unfinished of all of them is within its own bound.
      floods.add(flood(connect().hello(), echo(15_000)));
    }
    for (CompletableFuture<Void> each : floods) {
      while (!each.isDone()) {
        assertThat(server.outboundBytes()).isLessThan(2L * MAX_HANDSHAKE_BYTES);
        Thread.onSpinWait();
      }
    }
    awaitCounts(counts -> counts.echoesInHandshake() + counts.unreadInHandshake() >= 60);
    ChannelCounters.Counts counts = server.counters().counts();
    assertThat(counts.echoesInHandshake() + counts.unreadInHandshake()).isEqualTo(60);
  }

  @Test
  void switchesThatDoNotReadShareABoundOfBytes() {
    List<SwitchConnection> silent = new ArrayList<>();
    for (int i = 1; i <= 20; i++) {
      connect().handshake(i);
      silent.add(observer.await(Connected.class).connection());
    }
    List<FlowMod> mods = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      mods.add(SessionIT.add(i));
    }
    // The system takes some of it later: what it took is filled up again.
    for (int round = 0; round < 4; round++) {
      for (SwitchConnection each : silent) {
        fill(each, mods);
      }
    }
    assertThat(server.outboundBytes()).isBetween(1L << 20, (long) MAX_OUTBOUND_BYTES);
  }

  /** Sends until nothing more is taken. */
  private static void fill(SwitchConnection connection, List<FlowMod> mods) {
    CompletableFuture<Void> refused = new CompletableFuture<>();
    connection.execute(
        () -> {
          while (connection.flowMods(mods)) {
            Thread.onSpinWait();
          }
          refused.complete(null);
        });
    assertThat(refused).succeedsWithin(60, TimeUnit.SECONDS);
  }

  @Test
  void switchThatReportsWithoutEndIsDisconnected() {
    ScriptedSwitch chatty = connect().handshake(7);
    observer.await(Connected.class, event -> event.connection().dpid() == 7);
    CompletableFuture<Void> reports =
        flood(chatty, repeated(ByteBufUtil.decodeHexDump(FLOW_REMOVED), 1_000));
    Disconnected gone = observer.await(Disconnected.class, event -> event.connection().dpid() == 7);
    assertThat(gone.reason()).contains("reports too much", ReportQuota.BURST + " messages");
    assertThat(reports).succeedsWithin(60, TimeUnit.SECONDS);
    log.await("WARN switch of:0000000000000007 disconnected", "reports too much");
    assertThat(server.counters().counts().reportFloods()).isEqualTo(1);
  }

  /** It is the switch's fault, so the log has one line and no stack. */
  @Test
  void switchThatReportsMorePortsThanThereMayBeIsDisconnected() {
    ScriptedSwitch wide = connect().handshake(7);
    observer.await(Connected.class, event -> event.connection().dpid() == 7);
    int most = OpenFlowServerConfig.defaults().maxPorts();
    for (int port = 1; port <= most + 1; port++) {
      wide.sendRaw(portAdded(port));
    }
    Disconnected gone = observer.await(Disconnected.class, event -> event.connection().dpid() == 7);
    assertThat(gone.reason()).isEqualTo("the switch has more than " + most + " ports");
  }

  /** OFPT_PORT_STATUS (OpenFlow 1.3.5 section 7.4.3). */
  private static byte[] portAdded(int port) {
    return ByteBuffer.allocate(80)
        .putInt(0x040c_0050)
        .putInt(0)
        .putLong(0)
        .putInt(port)
        .putInt(0)
        .putInt(0x0200_0000)
        .putInt(port << 8)
        .array();
  }
}
