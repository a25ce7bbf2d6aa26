package io.lockstep.core.link;

import static org.assertj.core.api.Assertions.assertThat;

import io.lockstep.core.link.WatchedSwitch.PortWatch;
import io.lockstep.core.southbound.PacketOut;
import io.lockstep.core.testing.FakeSwitch;
import java.util.List;
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
}
