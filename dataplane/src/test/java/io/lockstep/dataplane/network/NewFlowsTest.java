package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.host.EmulatedHost;
import io.lockstep.dataplane.host.TestHosts;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.ManualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Flows between two hosts on one cable, on a clock that moves when told. */
class NewFlowsTest {
  private final TestHosts hosts = new TestHosts();
  private final ManualTime clock = hosts.clock;
  private final EmulatedHost a = hosts.a;
  private final EmulatedHost b = hosts.b;
  private final Cable cable = hosts.cable;
  private final NewFlows flows = NewFlows.start(clock, List.of(a, b), 100, 1);

  @AfterEach
  void stop() {
    flows.close();
    hosts.close();
  }

  @Test
  void flowsAreSentAtTheirRateAndArriveAfterTheDelay() {
    clock.advance(Duration.ofMillis(995));
    NewFlows.Counts counts = flows.next("next").counts();
    assertThat(counts).isEqualTo(new NewFlows.Counts("start", 100, 100, 1_000_000));
    assertThat(counts.missing()).isZero();
  }

  /** No ARP exchange, which would be repeated; and both hosts are in turn. */
  @Test
  void aFlowIsOneFrame() {
    clock.advance(Duration.ofMillis(95));
    long announcements = 2;
    assertThat(cable.carried()).isEqualTo(announcements + 10);
    assertThat(a.framesIn()).isEqualTo(b.framesIn()).isEqualTo(6);
  }

  @Test
  void whatDoesNotArriveIsMissingInTheWindowInWhichItWasSent() {
    clock.advance(Duration.ofMillis(95));
    NewFlows.Window before = flows.next("cut");
    cable.setUp(false);
    clock.advance(Duration.ofMillis(100));
    NewFlows.Window cut = flows.next("after");
    cable.setUp(true);
    clock.advance(Duration.ofMillis(100));
    assertThat(before.counts().missing()).isZero();
    assertThat(cut.counts()).isEqualTo(new NewFlows.Counts("cut", 10, 0, 0));
    assertThat(cut.counts().missing()).isEqualTo(10);
    assertThat(flows.brokenNanos(before)).isZero();
    assertThat(flows.brokenNanos(cut)).as("from 95 to 190 ms").isEqualTo(95_000_000);
    assertThat(flows.next("end").counts().missing()).isZero();
  }

  @Test
  void aFlowThatArrivesAfterTheWindowCountsThere() {
    clock.advance(Duration.ofMillis(90)); // the tenth flow is on its way
    NewFlows.Window ended = flows.next("next");
    assertThat(ended.counts().missing()).isEqualTo(1);
    clock.advance(Duration.ofMillis(5));
    assertThat(ended.counts()).isEqualTo(new NewFlows.Counts("start", 10, 10, 1_000_000));
  }

  /** Switches that flood and install may send a packet twice. */
  @Test
  void aDatagramThatArrivesTwiceCountsOnce() {
    clock.advance(Duration.ofMillis(5));
    for (long number = 0; number < 3; number++) {
      a.sendDatagram(b.mac(), b.address(), NewFlows.PORT, number);
      b.sendDatagram(a.mac(), a.address(), NewFlows.PORT, number);
    }
    // Behind the first task all are sent, and behind the second the wires know when they are due.
    hosts.settle();
    hosts.settle();
    clock.advance(Duration.ofMillis(4));
    NewFlows.Window ended = flows.next("next");
    assertThat(ended.counts()).isEqualTo(new NewFlows.Counts("start", 1, 1, 1_000_000));
    assertThat(ended.longestNanos()).isEqualTo(1_000_000);
    assertThat(flows.doubled()).isEqualTo(6);
  }

  @Test
  void nothingIsSentAfterTheEnd() {
    clock.advance(Duration.ofMillis(5));
    flows.close();
    clock.advance(Duration.ofSeconds(10));
    assertThat(flows.next("next").counts().sent()).isEqualTo(1);
  }

  @Test
  void aSingleHostHasNoFlows() {
    assertThatThrownBy(() -> NewFlows.start(clock, List.of(a), 100, 1))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
