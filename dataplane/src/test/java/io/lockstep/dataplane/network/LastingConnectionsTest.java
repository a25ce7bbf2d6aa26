package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.TestHosts;
import io.lockstep.dataplane.network.LastingConnections.Kept;
import io.lockstep.dataplane.network.LastingConnections.State;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A client and a server on one cable, on a clock that moves when told. */
class LastingConnectionsTest {
  private final TestHosts hosts = new TestHosts();
  private final ManualTime clock = hosts.clock;
  private final EmulatedHost client = hosts.a;
  private final EmulatedHost server = hosts.b;
  private final Cable cable = hosts.cable;
  private final LastingConnections connections = start();

  private LastingConnections start() {
    return LastingConnections.start(
        clock, server.address(), 80, List.of(client), List.of(server), 80);
  }

  @AfterEach
  void stop() {
    connections.close();
    hosts.close();
  }

  private long count(State state) {
    return connections.connections().stream().filter(one -> one.state() == state).count();
  }

  /** Lets time pass once the loop has begun what it was told. */
  private void pass(Duration time) {
    hosts.settle();
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
