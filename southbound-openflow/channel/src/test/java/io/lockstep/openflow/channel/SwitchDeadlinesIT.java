package io.lockstep.openflow.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.southbound.SwitchConnection;
import io.lockstep.core.southbound.SwitchConnection.FlowModOutcome;
import io.lockstep.core.southbound.SwitchConnection.RoleOutcome;
import io.lockstep.core.southbound.SwitchConnection.SwitchRole;
import io.lockstep.openflow.channel.RecordingObserver.Connected;
import io.lockstep.openflow.channel.RecordingObserver.Disconnected;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.projectfloodlight.openflow.protocol.OFFeaturesRequest;

/**
 * A switch that lets a deadline pass loses its own connection or answer, and nothing else: in every
 * test a healthy switch of the same server goes on, within the same deadlines. Each test has its
 * own server and waits for most of its time, so they run at once.
 */
@Tag("alone")
@Execution(ExecutionMode.CONCURRENT)
class SwitchDeadlinesIT {
  private static final long HEALTHY = 0x900d;
  private static final long HOSTILE = 0xbad;

  private final RecordingObserver observer = new RecordingObserver();
  private final RecordingLog log = new RecordingLog();
  private final OpenFlowServer server =
      new OpenFlowServer(
          OpenFlowServerConfig.defaults()
              .withListen("127.0.0.1", 0)
              .withEventLoops(1)
              .withDeadlines(3000, 1000, 500, 1500, 1000),
          observer,
          log);
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
      server.close();
    }
  }

  private ScriptedSwitch connect() {
    return ScriptedSwitch.connect(server.port());
  }

  @Test
  void silentHandshakeEndsAtItsDeadline() {
    try (ScriptedSwitch silent = connect()) {
      silent.awaitClosed();
    }
    log.await("WARN", "its handshake waited 3000 ms for a HELLO");
  }

  @Test
  void slowHandshakeEndsAtItsDeadlineHoweverItTrickles() {
    try (ScriptedSwitch slow = connect()) {
      slow.hello();
      long xid = slow.await(OFFeaturesRequest.class).getXid();
      CompletableFuture<Void> trickle =
          CompletableFuture.runAsync(
              () -> {
                // Whole echo requests, so that the peer is never silent, but no features.
                while (true) {
                  slow.sendHex("0402000800000001");
                  LockSupport.parkNanos(20_000_000L);
                }
              });
      slow.awaitClosed();
      assertThat(trickle).failsWithin(60, TimeUnit.SECONDS);
      assertThat(xid).isPositive();
    }
    log.await("WARN", "its handshake waited 3000 ms for a features reply");
  }

  @Test
  void secondConnectionOfADeadSwitchReplacesIt() {
    try (ScriptedSwitch dead = connect().withoutEchoReplies().handshake(HOSTILE);
        ScriptedSwitch again = connect()) {
      SwitchConnection old = observer.await(Connected.class).connection();
      again.handshake(HOSTILE);
      Disconnected gone = observer.await(Disconnected.class);
      assertThat(gone.connection()).isSameAs(old);
      assertThat(gone.reason()).contains("no answer to an echo");
      Connected replaced = observer.await(Connected.class);
      assertThat(replaced.connection().dpid()).isEqualTo(HOSTILE);
      assertThat(replaced.connection()).isNotSameAs(old);
      again.assertServed();
      assertThat(dead.awaitClosed()).isNotEmpty();
    }
  }

  @Test
  void switchThatAnswersNoEchoIsGivenUp() {
    try (ScriptedSwitch mute = connect().withoutEchoReplies().handshake(HOSTILE)) {
      observer.await(Connected.class);
      CompletableFuture<List<Object>> closed = CompletableFuture.supplyAsync(mute::awaitClosed);
      Disconnected gone =
          observer.await(Disconnected.class, event -> event.connection().dpid() == HOSTILE);
      assertThat(gone.reason()).isEqualTo("no answer to an echo in 1500 ms of silence");
      assertThat(closed).succeedsWithin(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void requestsWithoutAnswerTimeOut() {
    try (ScriptedSwitch device = connect().handshake(HOSTILE)) {
      SwitchConnection connection = observer.await(Connected.class).connection();
      CompletableFuture<RoleOutcome> role = connection.requestRole(SwitchRole.MASTER, 1);
      CompletableFuture<List<FlowModOutcome>> mods =
          connection.flowModsConfirmed(List.of(SessionIT.add(1)));
      device.send(ScriptedSwitch.packetIn(1, new byte[] {1}));
      assertThat(role)
          .succeedsWithin(60, TimeUnit.SECONDS)
          .isEqualTo(new RoleOutcome.Failed("no role reply in time"));
      assertThat(mods)
          .succeedsWithin(60, TimeUnit.SECONDS)
          .isEqualTo(List.of(new FlowModOutcome.Unknown("no barrier reply in time")));
    }
  }

  @Test
  void switchThatDoesNotReadIsNotReadFrom() throws IOException {
    try (ScriptedSwitch greedy = ScriptedSwitch.connect(server.port(), 1, 4096)) {
      greedy.handshake(HOSTILE);
      observer.await(Connected.class);
      byte[] frame = new byte[1400];
      CompletableFuture<Integer> flood =
          CompletableFuture.supplyAsync(
              () -> {
                int sent = 0;
                try {
                  while (sent < 200_000) {
                    greedy.send(ScriptedSwitch.packetIn(1, frame));
                    sent++;
                  }
                } catch (UncheckedIOException e) {
                  return sent;
                }
                return sent;
              });
      Disconnected gone =
          observer.await(Disconnected.class, event -> event.connection().dpid() == HOSTILE);
      assertThat(gone.reason()).contains("no answer to an echo");
      assertThat(flood).succeedsWithin(60, TimeUnit.SECONDS);
      // 200 000 answers would be 280 MB; what was taken fits the queues of the two sockets.
      assertThat(flood.join()).isLessThan(50_000);
    }
  }
}
