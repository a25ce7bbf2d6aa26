package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.packet.Ipv4;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.LinkQuality;
import io.lockstep.dataplane.wire.ManualTime;
import io.netty.channel.DefaultEventLoop;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client and a server on one cable, on a clock that moves when told. */
class LastingConnectionsTest {
  private final DefaultEventLoop loop = new DefaultEventLoop();
  private final ManualTime clock = new ManualTime();
  private final EmulatedHost client = host("client", 1);
  private final EmulatedHost server = host("server", 2);
  private final Cable cable =
      new Cable(
          new Cable.End(client, EmulatedHost.PORT),
          new Cable.End(server, EmulatedHost.PORT),
          LinkQuality.ORDINARY.withDelayNanos(Duration.ofMillis(1).toNanos()),
          clock);
  private final LastingConnections connections = start();

  private EmulatedHost host(String name, int number) {
    return new EmulatedHost(
        name,
        new Mac(0x0200_0000_0000L | number),
        new Ipv4(0x0a00_0000 | number),
        loop,
        clock,
        EmulatedHost.FrameTap.NONE);
  }

  private LastingConnections start() {
    return LastingConnections.start(
        clock, server.address(), 80, List.of(client), List.of(server), 80);
  }

  @AfterEach
  void stop() {
    connections.close();
    loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
  }

  private long count(State state) {
    return connections.connections().stream().filter(one -> one.state() == state).count();
  }

  /** Lets time pass once the loop has begun what it was told. */
  private void pass(Duration time) {
    loop.submit(() -> {}).syncUninterruptibly();
    clock.advance(time);
  }

  private boolean allAnswered() {
    return connections.connections().stream().noneMatch(Kept::waits);
  }

  @Test
  void connectionsOpenAtTheirRateAndGoOn() {
    connections.open(50, 100);
    pass(Duration.ofMillis(450));
    assertThat(connections.connections()).hasSizeBetween(15, 45);
    pass(Duration.ofSeconds(1));
    assertThat(count(State.OPEN)).isEqualTo(50);
    assertThat(connections.connections().get(0).server()).isZero();
    for (int round = 0; round < 3; round++) {
      connections.talkNow();
      assertThat(allAnswered()).isFalse();
      pass(Duration.ofMillis(20));
      assertThat(allAnswered()).isTrue();
    }
  }

  @Test
  void whatIsLostIsRepeated() {
    cable.setUp(false);
    connections.open(5, 1_000);
    pass(Duration.ofSeconds(1));
    cable.setUp(true);
    pass(Duration.ofSeconds(3));
    assertThat(count(State.OPEN)).isEqualTo(5);
    cable.setUp(false);
    connections.talkNow();
    pass(Duration.ofSeconds(2));
    assertThat(allAnswered()).isFalse();
    cable.setUp(true);
    pass(Duration.ofSeconds(3));
    assertThat(allAnswered()).isTrue();
    assertThat(count(State.OPEN)).isEqualTo(5);
  }

  @Test
  void aConnectionThatItsServerDoesNotKnowIsBroken() {
    connections.open(5, 1_000);
    pass(Duration.ofSeconds(1));
    assertThat(count(State.OPEN)).isEqualTo(5);
    new LastingServer(server, 1, 80).begin();
    connections.talkNow();
    pass(Duration.ofMillis(20));
    assertThat(count(State.BROKEN)).isEqualTo(5);
  }

  @Test
  void aCrashedServerIsSilent() {
    connections.open(5, 1_000);
    pass(Duration.ofSeconds(1));
    connections.crash(0);
    connections.talkNow();
    pass(Duration.ofSeconds(3));
    assertThat(connections.connections()).allMatch(one -> one.state() == State.OPEN && one.waits());
  }
}
