package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lockstep.dataplane.host.ExchangeResult;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.topology.Topologies;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Links that fail, hosts that move, pings that go on. */
class ChangesIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final ScriptedController controller = new ScriptedController(Hub.byFlowEntry());
  private final EmulatedNetwork network =
      EmulatedNetwork.start(Topologies.linear(3, 1), List.of(controller.address()));

  ChangesIT() {
    network.switches().forEach(each -> controller.nextSession().barrier());
  }

  @AfterEach
  void close() {
    network.close();
    controller.close();
  }

  private boolean reaches(String from, String to, Duration timeout) {
    return network.ping(from, to, timeout).join().complete();
  }

  @Test
  void cutLinkSeparatesAndMendedLinkJoins() {
    assertThat(reaches("h1", "h3", PATIENCE)).isTrue();
    assertThat(network.setLink("s3", "s2", false)).isEqualTo(1);
    assertThat(reaches("h1", "h3", Duration.ofMillis(200))).isFalse();
    assertThat(reaches("h1", "h2", PATIENCE)).isTrue();
    network.setLink("s2", "s3", true);
    assertThat(reaches("h1", "h3", PATIENCE)).isTrue();
    assertThatThrownBy(() -> network.setLink("s1", "s3", false))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void movedHostIsReachedAtItsNewPlace() {
    assertThat(reaches("h1", "h3", PATIENCE)).isTrue();
    network.moveHost("h3", "s1", 20);
    try (FrameTrace trace = network.tracePings("h1", "h3")) {
      assertThat(reaches("h1", "h3", PATIENCE)).isTrue();
      assertThat(trace.hops()).extracting(Hop::toString).contains("s1 SWITCH_SENT 20");
    }
    assertThatThrownBy(() -> network.moveHost("h2", "s1", 20))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> network.moveHost("h9", "s1", 21))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void exchangeSurvivesAnInterruptionByRepeating() {
    network.hostNamed("h3").serve(80, request -> request);
    assertThat(reaches("h1", "h3", PATIENCE)).isTrue();
    network.setLink("s1", "s2", false);
    byte[] request = "again".getBytes(StandardCharsets.US_ASCII);
    CompletableFuture<ExchangeResult> exchange =
        network.hostNamed("h1").exchange(network.hostNamed("h3").address(), 80, request, PATIENCE);
    long lostBefore = network.stats().framesLost();
    Await.until(
        "a segment was lost",
        () -> network.hostNamed("h1").framesIn() >= 0 && hasRepeated(lostBefore));
    network.setLink("s1", "s2", true);
    ExchangeResult result = exchange.join();
    assertThat(result.outcome()).isEqualTo(ExchangeResult.Outcome.COMPLETED);
    assertThat(result.response()).isEqualTo(request);
    assertThat(result.retransmissions()).isPositive();
  }

  /** Frames that s1 drops at its closed port: the SYN and at least one repetition. */
  private boolean hasRepeated(long lostBefore) {
    long dropped =
        network
            .switchNamed("s1")
            .inspect(model -> model.ports().stream().mapToLong(port -> port.txDropped()).sum())
            .join();
    return dropped + network.stats().framesLost() - lostBefore >= 2;
  }

  @Test
  void exchangeWithoutAnswerTimesOut() {
    network.setLink("s1", "s2", false);
    ExchangeResult result =
        network
            .hostNamed("h1")
            .exchange(network.hostNamed("h3").address(), 80, new byte[1], Duration.ofMillis(300))
            .join();
    assertThat(result.outcome()).isEqualTo(ExchangeResult.Outcome.TIMED_OUT);
  }

  @Test
  void continuousPingsTellHowLongANetworkWasCut() {
    try (ContinuousPing pings =
        network.pingContinuously(Duration.ofMillis(20), Duration.ofMillis(200))) {
      Await.until("answers", () -> pings.window().counts().answered() >= 60);
      PingWindow before = pings.next("cut");
      network.setLink("s1", "s2", false);
      Await.until(
          "losses, and answers beside them",
          () -> pings.window().counts().lost() >= 20 && pings.window().counts().answered() >= 20);
      network.setLink("s1", "s2", true);
      PingWindow during = pings.next("after");
      Await.until("answers again", () -> pings.window().counts().answered() >= 60);
      Await.until(
          "all decided",
          () -> before.counts().undecided() == 0 && during.counts().undecided() == 0);
      assertThat(before.counts().name()).isEqualTo("start");
      assertThat(during.counts().lost()).isPositive();
      assertThat(during.counts().answered()).as("h2 and h3 still reach each other").isPositive();
      assertThat(during.counts().longestGapNanos())
          .isGreaterThanOrEqualTo(Duration.ofMillis(200).toNanos());
      assertThat(during.counts().longestGapPair()).contains("h1");
    }
    PingWindow last = network.pingContinuously(List.of(), PATIENCE, PATIENCE).window();
    assertThat(last.counts().longestGapPair()).isEmpty();
  }

  @Test
  void pingsCountWhatIsLost() {
    PingResult result = network.ping("h1", "h2", 5, Duration.ofMillis(5), PATIENCE).join();
    assertThat(result.sent()).isEqualTo(5);
    assertThat(result.lost()).isZero();
    assertThat(result.meanRttNanos()).isBetween(result.minRttNanos(), result.maxRttNanos());
    assertThat(network.ping("h1", "h2", 0, Duration.ZERO, PATIENCE).join().sent()).isZero();
  }
}
