package io.lockstep.deploy.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.dataplane.model.Protocol;
import io.lockstep.dataplane.model.SwitchModel;
import io.lockstep.dataplane.model.SwitchPort;
import io.lockstep.dataplane.network.EmulatedNetwork;
import io.lockstep.dataplane.topology.Topologies;
import io.lockstep.deploy.testbed.Await;
import io.lockstep.deploy.testbed.OneNode;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.device.PortStatistics;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.flow.TableStatisticsEntry;

/**
 * The counters that a node shows are those of the emulated switches. The tests mostly wait for the
 * next question to the switch, so they run at once.
 */
@Execution(ExecutionMode.CONCURRENT)
class StatisticsIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final DeviceId FIRST = DeviceId.deviceId("of:0000000000000001");
  private static final int PINGS = 20;

  /** The counter of the model's first port, or of its first table. */
  private static long inSwitch(EmulatedNetwork network, ToLongFunction<SwitchModel> counter) {
    return network.switchNamed("s1").inspect(counter::applyAsLong).join();
  }

  private static SwitchPort port(SwitchModel model, PortNumber number) {
    return model.ports().stream()
        .filter(port -> port.number() == number.toLong())
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @EnumSource(Protocol.class)
  void countersAreThoseOfTheSwitch(Protocol protocol) throws IOException {
    try (OneNode node = OneNode.start();
        EmulatedNetwork network =
            EmulatedNetwork.start(
                Topologies.linear(2, 1).speaking(protocol, one -> true), List.of(node.address()))) {
      DeviceService devices = node.service(DeviceService.class);
      List<DeviceEvent.Type> heard = new CopyOnWriteArrayList<>();
      devices.addListener(event -> heard.add(event.type()));
      Await.until(
          "h1 reaches h2",
          PATIENCE,
          () -> network.ping("h1", "h2", Duration.ofSeconds(2)).join().complete(),
          () -> String.valueOf(node.status()));
      for (int i = 0; i < PINGS; i++) {
        network.ping("h1", "h2", Duration.ofSeconds(2)).join();
      }
      assertThat(devices.getPorts(FIRST)).isNotEmpty();
      for (org.onosproject.net.Port one : devices.getPorts(FIRST)) {
        PortNumber number = one.number();
        long before = inSwitch(network, model -> port(model, number).rxPackets());
        Await.until(
            "port " + number + " is counted",
            PATIENCE,
            () -> received(devices, number) >= before,
            () -> devices.getPortStatistics(FIRST).toString());
        PortStatistics shown = Objects.requireNonNull(devices.getStatisticsForPort(FIRST, number));
        assertThat(shown.packetsReceived())
            .isBetween(before, inSwitch(network, model -> port(model, number).rxPackets()));
        assertThat(shown.bytesSent())
            .isLessThanOrEqualTo(inSwitch(network, model -> port(model, number).txBytes()))
            .isPositive();
      }
      Await.until(
          "a second answer came",
          PATIENCE,
          () -> !devices.getPortDeltaStatistics(FIRST).isEmpty(),
          () -> devices.getPortStatistics(FIRST).toString());
      assertThat(devices.getPortDeltaStatistics(FIRST))
          .allSatisfy(delta -> assertThat(delta.durationSec()).isBetween(1L, 120L))
          .allSatisfy(delta -> assertThat(delta.packetsReceived()).isNotNegative());
      assertThat(heard).contains(DeviceEvent.Type.PORT_STATS_UPDATED);
      tables(node.service(FlowRuleService.class), network);
    }
  }

  private static long received(DeviceService devices, PortNumber number) {
    PortStatistics statistics = devices.getStatisticsForPort(FIRST, number);
    return statistics == null ? -1 : statistics.packetsReceived();
  }

  private static void tables(FlowRuleService rules, EmulatedNetwork network) {
    long lookups = inSwitch(network, model -> model.pipeline().tables().get(0).lookups());
    assertThat(lookups).isPositive();
    Await.until(
        "the table is counted",
        PATIENCE,
        () -> table(rules).packetsLookedup() >= lookups,
        () -> rules.getFlowTableStatistics(FIRST).toString());
    TableStatisticsEntry shown = table(rules);
    assertThat(shown.packetsLookedup())
        .isLessThanOrEqualTo(
            inSwitch(network, model -> model.pipeline().tables().get(0).lookups()));
    assertThat(shown.packetsMatched()).isPositive();
    assertThat(shown.activeFlowEntries()).as("at least the node's own entries").isPositive();
  }

  private static TableStatisticsEntry table(FlowRuleService rules) {
    return rules.getFlowTableStatistics(FIRST).iterator().next();
  }
}
