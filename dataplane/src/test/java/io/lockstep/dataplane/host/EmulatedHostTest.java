package io.lockstep.dataplane.host;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.packet.ArpMessage;
import io.lockstep.dataplane.packet.Mac;
import io.lockstep.dataplane.wire.Cable;
import io.lockstep.dataplane.wire.ManualTime;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two hosts on one cable, on a clock that moves when told. */
class EmulatedHostTest {
  private final TestHosts hosts = new TestHosts();
  private final ManualTime clock = hosts.clock;
  private final EmulatedHost a = hosts.a;
  private final EmulatedHost b = hosts.b;
  private final Cable cable = hosts.cable;

  @AfterEach
  void stop() {
    hosts.close();
  }

  /** Lets time pass in steps, so that frames sent during a step travel in the next ones. */
  private void pass(int millis) {
    for (int i = 0; i < millis; i++) {
      settle();
      clock.advance(Duration.ofMillis(1));
    }
    settle();
  }

  private void settle() {
    for (int turn = 0; turn < 4; turn++) {
      hosts.settle();
    }
  }

  @Test
  void firstPingPaysForArpAndTheSecondDoesNot() {
    CompletableFuture<PingResult> first =
        a.ping(b.address(), 1, Duration.ZERO, Duration.ofSeconds(1));
    pass(10);
    assertThat(first.join().minRttNanos()).isEqualTo(4_000_000); // there and back, twice
    CompletableFuture<PingResult> second =
        a.ping(b.address(), 1, Duration.ZERO, Duration.ofSeconds(1));
    pass(10);
    assertThat(second.join().minRttNanos()).isEqualTo(2_000_000);
  }

  @Test
  void unansweredPingIsLostAfterItsTimeoutNotBefore() {
    cable.setUp(false);
    CompletableFuture<PingResult> lost =
        a.ping(b.address(), 2, Duration.ofMillis(10), Duration.ofMillis(500));
    pass(509);
    assertThat(lost).isNotDone();
    pass(1);
    assertThat(lost.join()).isEqualTo(new PingResult("a", b.address(), 2, 2, 0, 0, 0));
  }

  /** A lost ARP request is repeated; the ping that waits for it is still answered. */
  @Test
  void arpRequestsAreRepeated() {
    cable.setUp(false);
    CompletableFuture<PingResult> late =
        a.ping(b.address(), 1, Duration.ZERO, Duration.ofSeconds(2));
    pass(250);
    cable.setUp(true);
    pass(100);
    assertThat(late.join().lost()).isZero();
  }

  @Test
  void gratuitousArpReplacesAKnownAddress() {
    CompletableFuture<PingResult> known =
        a.ping(b.address(), 1, Duration.ZERO, Duration.ofSeconds(1));
    pass(10);
    assertThat(known).isCompletedWithValueMatching(result -> result.lost() == 0);
    Mac moved = new Mac(0x0200_0000_0099L);
    b.sendFrame(ArpMessage.announcement(moved, b.address()).encode());
    pass(5);
    long before = b.framesForOthers();
    CompletableFuture<PingResult> elsewhere =
        a.ping(b.address(), 1, Duration.ZERO, Duration.ofSeconds(1));
    pass(5);
    assertThat(elsewhere).as("it went to the announced MAC").isNotDone();
    assertThat(b.framesForOthers() - before).as("addressed to the announced MAC").isEqualTo(1);
  }

  @Test
  void exchangeMovesManySegmentsAndEndsOnBothSides() {
    b.serve(9, request -> new byte[request.length + 1]);
    CompletableFuture<ExchangeResult> exchange =
        a.exchange(b.address(), 9, new byte[10_000], Duration.ofSeconds(5));
    pass(100);
    ExchangeResult result = exchange.join();
    assertThat(result.outcome()).isEqualTo(ExchangeResult.Outcome.COMPLETED);
    assertThat(result.response()).hasSize(10_001);
    assertThat(result.retransmissions()).isZero();
  }

  @Test
  void lostSegmentsAreSentAgain() {
    b.serve(9, request -> request);
    CompletableFuture<ExchangeResult> exchange =
        a.exchange(b.address(), 9, new byte[5000], Duration.ofSeconds(10));
    for (int cut = 0; cut < 4; cut++) {
      pass(3);
      cable.setUp(false);
      pass(5);
      cable.setUp(true);
      pass(400);
    }
    pass(3000);
    ExchangeResult result = exchange.join();
    assertThat(result.outcome()).isEqualTo(ExchangeResult.Outcome.COMPLETED);
    assertThat(result.response()).hasSize(5000);
    assertThat(result.retransmissions()).isPositive();
  }
}
