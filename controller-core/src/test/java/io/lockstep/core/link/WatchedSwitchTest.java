package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.WatchedSwitch.PortWatch;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.testing.FakeSwitch;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** A switch with more ports than are probed at once. */
class WatchedSwitchTest {
  private static final int PORTS = 3 * WatchedSwitch.MAX_PROBES + 10;

  private final FakeSwitch device = new FakeSwitch(1, 4);
  private final WatchedSwitch watched =
      new WatchedSwitch(device, new SwitchNews(), LinkDiscoveryFixture.CONFIG, 0);
  private final LldpCodec codec = new LldpCodec(LinkDiscoveryFixture.KEY, 10_000);

  private void probe(long nowNanos) {
    watched.probe(codec, Set.of(), nowNanos, 1_000);
  }

  private Set<Long> probed(int from) {
    List<PacketOut> sent = device.packetOuts.subList(from, device.packetOuts.size());
    return sent.stream().map(out -> out.outPorts().get(0).toLong()).collect(Collectors.toSet());
  }

  @Test
  void portsAreProbedInTurnSoManyAtATime() {
    for (long port = 1; port <= PORTS; port++) {
      watched.ports.put(port, new PortWatch(0, 0L));
    }
    probe(0);
    assertThat(device.packetOuts).hasSize(WatchedSwitch.MAX_PROBES);
    for (int i = 0; i < 3; i++) {
      probe(0);
    }
    assertThat(device.packetOuts).hasSize(PORTS);
    assertThat(probed(0)).as("each port once").hasSize(PORTS);
    probe(0);
    assertThat(device.packetOuts).as("nothing is due").hasSize(PORTS);
  }

  /** More are due in each turn than can be sent: no port waits for ever. */
  @Test
  void noPortIsLeftOutWhereAllAreAlwaysDue() {
    for (long port = 1; port <= PORTS; port++) {
      watched.ports.put(port, new PortWatch(0, 0L));
    }
    for (long second = 0; second < 8; second++) {
      probe(TimeUnit.SECONDS.toNanos(10 * second));
    }
    assertThat(probed(0)).hasSize(PORTS);
    assertThat(probed(4 * WatchedSwitch.MAX_PROBES)).as("and again").hasSize(PORTS);
  }

  @Test
  void isSettledWhenEveryPortIsProbedAtTheUsualPace() {
    watched.takePorts(taken(Map.of(), true), null, 0);
    assertThat(watched.isSettled()).isFalse();
    long now = 0;
    while (!watched.isSettled()) {
      now += TimeUnit.MILLISECONDS.toNanos(50);
      assertThat(now).isLessThan(TimeUnit.SECONDS.toNanos(10));
      probe(now);
      watched.confirm(now);
    }
    device.setPort(9, true);
    watched.takePorts(taken(Map.of(9L, false), false), 5L, now);
    assertThat(watched.isSettled()).as("a new port").isFalse();
  }

  @Test
  void changedPortsAreLookedAtAndNoOthers() {
    watched.takePorts(taken(Map.of(), true), null, 1);
    assertThat(watched.ports.keySet()).containsExactly(1L, 2L, 3L, 4L);
    device.setPort(2, false);
    device.setPort(3, false);
    device.setPort(9, true);
    assertThat(watched.takePorts(taken(Map.of(2L, true, 4L, true, 9L, false), false), 5L, 5))
        .as("down now, and in between")
        .containsExactlyInAnyOrder(2L, 4L);
    assertThat(watched.ports.keySet()).as("3 is not reported yet").containsExactly(1L, 3L, 4L, 9L);
    assertThat(watched.ports.get(4L)).matches(port -> port.sinceNanos == 5);
    assertThat(watched.ports.get(1L)).matches(port -> port.sinceNanos == 1);
  }

  @Test
  void allPortsAreLookedAtWhereMoreChangedThanFindRoom() {
    watched.takePorts(taken(Map.of(), true), null, 1);
    device.setPort(2, false);
    device.setPort(9, true);
    assertThat(watched.takePorts(taken(Map.of(1L, false), true), 5L, 5))
        .containsExactlyInAnyOrder(1L, 2L, 3L, 4L);
    assertThat(watched.ports.keySet()).containsExactly(1L, 3L, 4L, 9L);
  }

  private static SwitchNews.Taken taken(Map<Long, Boolean> ports, boolean all) {
    return new SwitchNews.Taken(ports, all, List.of());
  }
}
