package io.lockstep.dataplane.network;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.host.ExchangeResult;
import io.lockstep.dataplane.host.PingResult;
import io.lockstep.dataplane.openflow.ScriptedController;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.dataplane.topology.Topology;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class EmulatedNetworkIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static void awaitEntries(EmulatedNetwork network) {
    for (EmulatedSwitch each : network.switches()) {
      Await.until(
          "an entry in " + each.name(),
          () ->
              each.inspect(model -> !model.pipeline().tables().get(0).entries().isEmpty()).join());
    }
  }

  @Test
  void allHostsReachEachOtherThroughAControllerThatFloods() {
    Topology topology = Topologies.linear(3, 2);
    try (ScriptedController controller = new ScriptedController(Hub.byPacketOut());
        EmulatedNetwork network = EmulatedNetwork.start(topology, List.of(controller.address()))) {
      awaitEntries(network);
      List<PingResult> results = network.pingAll(PATIENCE).join();
      assertThat(results).hasSize(6 * 5).allMatch(PingResult::complete);
      assertThat(results).allMatch(result -> result.minRttNanos() > 0);
      assertThat(network.stats().packetInsSent()).isPositive();
      assertThat(network.stats().packetOuts()).isPositive();
    }
  }

  @Test
  void switchesWithoutControllerDropEverything() {
    try (EmulatedNetwork network = EmulatedNetwork.start(Topologies.linear(2, 1), List.of())) {
      PingResult result = network.ping("h1", "h2", Duration.ofMillis(300)).join();
      assertThat(result.lost()).isEqualTo(1);
      assertThat(network.stats().packetsDropped()).isPositive();
    }
  }

  @Test
  void switchesForwardOnWhenTheirControllerIsGone() {
    Topology topology = Topologies.linear(2, 1);
    try (EmulatedNetwork network = start(topology)) {
      PingResult result = network.ping("h1", "h2", PATIENCE).join();
      assertThat(result.complete()).isTrue();
      network.switches().forEach(each -> assertThat(each.roles()).isEmpty());
    }
  }

  /** Starts a network whose controller floods by flow entry and is closed then. */
  private static EmulatedNetwork start(Topology topology) {
    try (ScriptedController controller = new ScriptedController(Hub.byFlowEntry())) {
      EmulatedNetwork network = EmulatedNetwork.start(topology, List.of(controller.address()));
      awaitEntries(network);
      controller.close();
      Await.until(
          "all connections are gone",
          () -> network.switches().stream().allMatch(each -> each.roles().isEmpty()));
      return network;
    }
  }

  @Test
  void hostsExchangeRequestAndResponseOverTcp() {
    try (EmulatedNetwork network = start(Topologies.linear(2, 1))) {
      byte[] request = "x".repeat(5000).getBytes(StandardCharsets.US_ASCII);
      network.hostNamed("h2").serve(80, bytes -> new byte[bytes.length * 2]);
      ExchangeResult result =
          network
              .hostNamed("h1")
              .exchange(network.hostNamed("h2").address(), 80, request, PATIENCE)
              .join();
      assertThat(result.outcome()).isEqualTo(ExchangeResult.Outcome.COMPLETED);
      assertThat(result.response()).hasSize(10_000);
      ExchangeResult refused =
          network
              .hostNamed("h1")
              .exchange(network.hostNamed("h2").address(), 81, request, PATIENCE)
              .join();
      assertThat(refused.outcome()).isEqualTo(ExchangeResult.Outcome.REFUSED);
    }
  }

  @Test
  void traceTellsTheWayOfAPing() {
    try (EmulatedNetwork network = start(Topologies.linear(3, 1));
        FrameTrace trace = network.tracePings("h1", "h3")) {
      assertThat(network.ping("h1", "h3", PATIENCE).join().complete()).isTrue();
      assertThat(trace.stations()).startsWith("h1", "s1", "s2").contains("s3", "h3");
      assertThat(trace.hops())
          .extracting(Hop::toString)
          .startsWith("h1 HOST_SENT", "s1 SWITCH_RECEIVED 1", "s1 SWITCH_SENT 2");
    }
  }
}
